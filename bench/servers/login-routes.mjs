import { createServer } from "node:http";
import { emails } from "./login-requests.mjs";

const ANSWER = { ok: true };
const NO_LIMIT = 1e9;
const MINUTE_MS = 60_000;

/** @typedef {import("node:http").Server} Server */

/**
 * Serves `POST /login` with a JSON body on each framework: bare, or behind one guard. Each process loads
 * only the modules it uses, like a real server.
 */
const SERVERS = { express, fastify, koa };

/**
 * @param {string} variant Framework and guard, separated by a space.
 * @returns {Promise<Server>}
 */
export default async function serve(variant) {
  // All requests come from this machine, and the gate warns about that.
  process.removeAllListeners("warning");
  const [framework = "", ...guard] = variant.split(" ");
  return SERVERS[/** @type {keyof typeof SERVERS} */ (framework)](guard.join(" "));
}

/** Returns a client with all answers in its cache. */
async function warmClient() {
  const { clientFor } = await import("../workers/prepared-client.mjs");
  const client = clientFor(10 * emails.length);
  await client.lookupIp("127.0.0.1");
  for (const email of emails) await client.lookupEmail(email);
  return client;
}

const gateOptions = async () => ({ lookup: await warmClient(), lookupPrivateIps: true });

/** @param {"floor" | "by hand"} variant */
async function gateByHand(variant) {
  const { createGateByHand } = await import("../workers/gate-by-hand.mjs");
  return createGateByHand(
    variant,
    await warmClient(),
    emails.map((email) => ({ ip: "127.0.0.1", email })),
  );
}

async function flexible() {
  const { RateLimiterMemory } = await import("rate-limiter-flexible");
  return new RateLimiterMemory({ points: NO_LIMIT, duration: MINUTE_MS / 1000 });
}

/** @param {string} guard @returns {Promise<Server>} */
async function express(guard) {
  const { default: makeApp, json } = await import("express");
  const app = makeApp();
  app.use(json());
  app.post("/login", ...(await expressGuards(guard)), (_, response) => void response.json(ANSWER));
  return listening(createServer(app));
}

/** @param {string} guard @returns {Promise<import("express").RequestHandler[]>} */
async function expressGuards(guard) {
  switch (guard) {
    case "no-op":
      return [(_request, _response, next) => next()];
    case "floor":
    case "by hand": {
      const gate = await gateByHand(guard);
      return [
        (request, response, next) => {
          const risk = gate.decide({ ip: request.ip ?? "", email: request.body.email });
          response.locals.risk = risk;
          if (risk?.outcome === "allow") next();
          else response.status(403).end();
        },
      ];
    }
    case "riskgate": {
      const { riskGate } = await import("@riskgate/express");
      return [riskGate(await gateOptions())];
    }
    case "express-rate-limit": {
      const { rateLimit } = await import("express-rate-limit");
      return [rateLimit({ windowMs: MINUTE_MS, limit: NO_LIMIT, standardHeaders: "draft-8" })];
    }
    case "rate-limiter-flexible": {
      const limiter = await flexible();
      return [
        (request, _, next) =>
          void limiter.consume(request.ip ?? "").then(
            () => next(),
            () => next(new Error("limited")),
          ),
      ];
    }
    default:
      return [];
  }
}

/** @param {string} guard @returns {Promise<Server>} */
async function fastify(guard) {
  const { default: makeApp } = await import("fastify");
  const app = makeApp();
  /** @type {import("fastify").RouteShorthandOptions} */
  let route = {};
  switch (guard) {
    case "no-op":
      route = { preHandler: (_request, _reply, done) => done() };
      break;
    case "floor":
    case "by hand": {
      const gate = await gateByHand(guard);
      app.decorateRequest("risk");
      route = {
        preHandler(request, reply, done) {
          const { email } = /** @type {{ email: string }} */ (request.body);
          const risk = gate.decide({ ip: request.ip, email });
          request.risk = /** @type {any} */ (risk);
          if (risk?.outcome === "allow") done();
          else reply.code(403).send();
        },
      };
      break;
    }
    case "riskgate": {
      const { riskGate } = await import("@riskgate/fastify");
      await app.register(riskGate, await gateOptions());
      route = { config: { riskGate: true } };
      break;
    }
    case "@fastify/rate-limit": {
      const { default: rateLimit } = await import("@fastify/rate-limit");
      await app.register(rateLimit, { max: NO_LIMIT, timeWindow: MINUTE_MS });
      break;
    }
    case "rate-limiter-flexible": {
      const limiter = await flexible();
      route = { preHandler: async (request) => void (await limiter.consume(request.ip)) };
      break;
    }
  }
  app.post("/login", route, (_, reply) => void reply.send(ANSWER));
  await app.listen({ host: "127.0.0.1", port: 0 });
  return app.server;
}

/** @param {string} guard @returns {Promise<Server>} */
async function koa(guard) {
  const { default: Koa } = await import("koa");
  const app = new Koa();
  app.use(async (context, next) => {
    let text = "";
    for await (const chunk of context.req.setEncoding("utf8")) text += chunk;
    Object.assign(context.request, { body: JSON.parse(text) });
    return next();
  });
  for (const middleware of await koaGuards(guard)) app.use(middleware);
  app.use((context) => void (context.body = ANSWER));
  return listening(createServer(app.callback()));
}

/** @param {string} guard @returns {Promise<import("koa").Middleware[]>} */
async function koaGuards(guard) {
  switch (guard) {
    case "no-op":
      return [(_, next) => next()];
    case "floor":
    case "by hand": {
      const gate = await gateByHand(guard);
      return [
        (context, next) => {
          const { body } = /** @type {{ body: { email: string } }} */ (
            /** @type {unknown} */ (context.request)
          );
          const risk = gate.decide({ ip: context.ip, email: body.email });
          context.state.risk = risk;
          if (risk?.outcome === "allow") return next();
          context.status = 403;
          return undefined;
        },
      ];
    }
    case "riskgate": {
      const { riskGate } = await import("@riskgate/koa");
      return [riskGate(await gateOptions())];
    }
    case "koa-ratelimit": {
      const { default: rateLimit } = await import("koa-ratelimit");
      return [rateLimit({ driver: "memory", db: new Map(), duration: MINUTE_MS, max: NO_LIMIT })];
    }
    case "rate-limiter-flexible": {
      const limiter = await flexible();
      return [(context, next) => limiter.consume(context.ip).then(() => next())];
    }
    default:
      return [];
  }
}

/** @param {Server} server @returns {Promise<Server>} */
function listening(server) {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}
