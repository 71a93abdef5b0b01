import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { createNodeMiddleware, Webhooks } from "@octokit/webhooks";
import { createMemorySeenStore } from "@riskgate/core";
import { webhookRoute as expressRoute } from "@riskgate/express";
import { webhookRoute as fastifyRoute } from "@riskgate/fastify";
import { webhookRoute as koaRoute } from "@riskgate/koa";
import express from "express";
import fastify from "fastify";
import fastifyRawBody from "fastify-raw-body";
import Koa from "koa";
import rawBody from "raw-body";

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
const remembering = { secrets: SECRET, on, seen: createMemorySeenStore({ maxEntries: 2000 }) };

const webhooks = new Webhooks({ secret: SECRET });
webhooks.onAny(({ payload }) => {
  for (const _ of /** @type {any} */ (payload)) handle();
});
const octokitMiddleware = createNodeMiddleware(webhooks, { path: PATH });

/** @type {Record<string, () => Promise<import("node:http").Server> | import("node:http").Server>} */
const SERVERS = {
  "node:http, bare": () =>
    createServer((request, response) => {
      readStream(request, (body) => {
        response.statusCode = statusFor(body, request);
        response.end();
      });
    }),
  "node:http, octokit": () =>
    createServer((request, response) => void octokitMiddleware(request, response)),

  "Fastify, bare": () =>
    onFastify((app) => {
      app.removeAllContentTypeParsers();
      app.addContentTypeParser("*", (_request, _payload, parsed) => parsed(null));
      app.post(PATH, (request, reply) => {
        readStream(request.raw, (body) => void reply.code(statusFor(body, request.raw)).send());
      });
    }),
  "Fastify, riskgate": () =>
    onFastify((app) => app.register(fastifyRoute, { path: PATH, ...plain })),
  "Fastify, riskgate with a seen store": () =>
    onFastify((app) => app.register(fastifyRoute, { path: PATH, ...remembering })),
  "Fastify, fastify-raw-body": () =>
    onFastify(async (app) => {
      await app.register(fastifyRawBody, { encoding: false, runFirst: true });
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
  "Koa, riskgate": () => onKoa(koaRoute(plain)),
  "Koa, riskgate with a seen store": () => onKoa(koaRoute(remembering)),
  "Koa, raw-body": () =>
    onKoa(async (context) => {
      const body = await rawBody(context.req, { limit: LIMIT, length: context.request.length });
      context.status = statusFor(body, context.req);
    }),

  "Express, bare": () =>
    onExpress((request, response) => {
      readStream(request, (body) => response.status(statusFor(body, request)).end());
    }),
  "Express, riskgate": () => onExpress(expressRoute(plain)),
  "Express, riskgate with a seen store": () => onExpress(expressRoute(remembering)),
  "Express, express.raw": () =>
    onExpress(express.raw({ type: "*/*", limit: LIMIT }), (request, response) => {
      response.status(statusFor(request.body, request)).end();
    }),
  "Express, octokit": () => onExpress(octokitMiddleware),
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
  const app = fastify();
  await mount(app);
  await app.listen({ port: 0, host: "127.0.0.1" });
  return app.server;
}

/** @param {import("koa").Middleware} middleware */
function onKoa(middleware) {
  const handler = new Koa().use(middleware).callback();
  return createServer((request, response) => void handler(request, response));
}

/** @param {...any} handlers */
function onExpress(...handlers) {
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
