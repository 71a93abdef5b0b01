import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const SECRET = "the-signing-secret";
const PATH = "/hook";
const LIMIT = "5mb";

/** Events handled, so that there is something to do. */
const done = { events: 0 };
const handle = () => {
  done.events++;
};

const on = { security_event: handle };
const plain = { secrets: SECRET, on, seen: /** @type {const} */ (false) };

/** Smaller than by default: what is measured comes again in turn, and must be new each time. */
async function remembering() {
  const { createMemorySeenStore } = await import("@riskgate/core");
  return { secrets: SECRET, on, seen: createMemorySeenStore({ maxEntries: 2000 }) };
}

async function octokit() {
  const { createNodeMiddleware, Webhooks } = await import("@octokit/webhooks");
  const webhooks = new Webhooks({ secret: SECRET });
  webhooks.onAny(({ payload }) => {
    for (const _ of /** @type {any} */ (payload)) handle();
  });
  return createNodeMiddleware(webhooks, { path: PATH });
}

const expressRoute = async () => (await import("@riskgate/express")).webhookRoute;
const fastifyRoute = async () => (await import("@riskgate/fastify")).webhookRoute;
const koaRoute = async () => (await import("@riskgate/koa")).webhookRoute;

/**
 * Each loads what it needs and nothing more, as a server would.
 *
 * @type {Record<string, () => Promise<import("node:http").Server> | import("node:http").Server>}
 */
const SERVERS = {
  "node:http, bare": () =>
    createServer((request, response) => {
      readStream(request, (body) => {
        response.statusCode = statusFor(body, request);
        response.end();
      });
    }),
  "node:http, octokit": async () => {
    const middleware = await octokit();
    return createServer((request, response) => void middleware(request, response));
  },

  "Fastify, bare": () =>
    onFastify((app) => {
      app.removeAllContentTypeParsers();
      app.addContentTypeParser("*", (_request, _payload, parsed) => parsed(null));
      app.post(PATH, (request, reply) => {
        readStream(request.raw, (body) => void reply.code(statusFor(body, request.raw)).send());
      });
    }),
  "Fastify, riskgate": () =>
    onFastify(async (app) => app.register(await fastifyRoute(), { path: PATH, ...plain })),
  "Fastify, riskgate with a seen store": () =>
    onFastify(async (app) =>
      app.register(await fastifyRoute(), { path: PATH, ...(await remembering()) }),
    ),
  "Fastify, fastify-raw-body": () =>
    onFastify(async (app) => {
      const { default: rawBody } = await import("fastify-raw-body");
      await app.register(rawBody, { encoding: false, runFirst: true });
      app.post(PATH, { bodyLimit: 5_242_880 }, (request, reply) => {
        if (!isSigned(request.rawBody, request.raw)) return reply.code(401).send();
        for (const _ of /** @type {unknown[]} */ (request.body)) handle();
        return reply.code(204).send();
      });
    }),

  "Koa, bare": () =>
    onKoa(async (context) => {
      context.status = await new Promise((resolve) => {
        readStream(context.req, (body) => resolve(statusFor(body, context.req)));
      });
    }),
  "Koa, riskgate": async () => onKoa((await koaRoute())(plain)),
  "Koa, riskgate with a seen store": async () => onKoa((await koaRoute())(await remembering())),
  "Koa, raw-body": async () => {
    const { default: rawBody } = await import("raw-body");
    return onKoa(async (context) => {
      const body = await rawBody(context.req, { limit: LIMIT, length: context.request.length });
      context.status = statusFor(body, context.req);
    });
  },

  "Express, bare": () =>
    onExpress((request, response) => {
      readStream(request, (body) => response.status(statusFor(body, request)).end());
    }),
  "Express, riskgate": async () => onExpress((await expressRoute())(plain)),
  "Express, riskgate with a seen store": async () =>
    onExpress((await expressRoute())(await remembering())),
  "Express, express.raw": async () => {
    const { raw } = await import("express");
    return onExpress(raw({ type: "*/*", limit: LIMIT }), (request, response) => {
      response.status(statusFor(request.body, request)).end();
    });
  },
  "Express, octokit": async () => onExpress(await octokit()),
};

/** @param {string} variant */
export default async function serve(variant) {
  const server = await /** @type {() => any} */ (SERVERS[variant])();
  if (!server.listening) {
    await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  }
  return server;
}

/** @param {(app: import("fastify").FastifyInstance) => unknown} mount */
async function onFastify(mount) {
  const { default: fastify } = await import("fastify");
  const app = fastify();
  await mount(app);
  await app.listen({ port: 0, host: "127.0.0.1" });
  return app.server;
}

/** @param {import("koa").Middleware} middleware */
async function onKoa(middleware) {
  const { default: Koa } = await import("koa");
  const handler = new Koa().use(middleware).callback();
  return createServer((request, response) => void handler(request, response));
}

/** @param {...any} handlers */
async function onExpress(...handlers) {
  const { default: express } = await import("express");
  const app = express();
  app.post(PATH, ...handlers);
  return createServer(app);
}

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {(body: Buffer) => void} done
 */
function readStream(request, done) {
  /** @type {Buffer[]} */
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => done(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
}

/** @param {Buffer} body @param {import("node:http").IncomingMessage} request */
function statusFor(body, request) {
  if (!isSigned(body, request)) return 401;
  for (const _ of JSON.parse(body.toString())) handle();
  return 204;
}

/** @param {any} body @param {import("node:http").IncomingMessage} request */
function isSigned(body, { headers }) {
  const given = Buffer.from(String(headers["x-service-integrity"]), "hex");
  const digest = createHmac("sha256", SECRET).update(body).digest();
  return given.length === digest.length && timingSafeEqual(given, digest);
}
