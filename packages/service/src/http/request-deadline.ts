import type { FastifyInstance, FastifyRequest } from "fastify";
import { errorBody } from "./error-body.js";

/** Time limit for everything that a response waits for, in milliseconds. */
const LIMIT_MS = 10_000;

const TOO_LATE = errorBody(
  503,
  "The service did not respond in time",
  "Send the request again: events that were stored after all are not counted twice",
);

const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>();

/**
 * Responds with 503 to requests that take too long, however many steps they consist of. Receiving the
 * body does not count: it has its own limit.
 */
export function addRequestDeadline(server: FastifyInstance, limitMs: number = LIMIT_MS): void {
  const left = new WeakMap<FastifyRequest, number>();
  server.addHook("onRequest", (request, reply, next) => {
    const expire = (): void => void reply.code(503).send(TOO_LATE);
    timers.set(request, setTimeout(expire, limitMs));
    left.set(request, performance.now() + limitMs);
    next();
  });
  server.addHook("preParsing", (request, _reply, payload, next) => {
    clearTimeout(timers.get(request));
    left.set(request, left.get(request)! - performance.now());
    next(null, payload);
  });
  server.addHook("preValidation", (request, reply, next) => {
    const expire = (): void => void reply.code(503).send(TOO_LATE);
    timers.set(request, setTimeout(expire, Math.max(1, left.get(request)!)));
    next();
  });
  server.addHook("onSend", (request, _reply, _payload, next) => {
    stopDeadline(request);
    next();
  });
  server.addHook("onRequestAbort", (request, next) => {
    stopDeadline(request);
    next();
  });
}

/** Exempts the rest of a request, if it is expected to take long. */
export function stopDeadline(request: FastifyRequest): void {
  clearTimeout(timers.get(request));
}
