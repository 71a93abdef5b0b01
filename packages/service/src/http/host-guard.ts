import type { FastifyReply, FastifyRequest } from "fastify";
import { FOREIGN_HOST } from "./error-body.js";

export type Guard = (request: FastifyRequest, reply: FastifyReply, next: () => void) => void;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i;

/** Returns true for a host name or address on this machine that no other machine can connect to. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.test(host);
}

/**
 * Creates the guard that rejects requests whose only `Host` names neither this machine nor the
 * origin: a page that points its own name to 127.0.0.1 would otherwise read the metrics.
 *
 * @param isLocal Returns true if only this machine can connect; otherwise any host is accepted.
 */
export function createHostGuard(isLocal: () => boolean, origin: string | undefined): Guard {
  const named = origin === undefined ? undefined : new URL(origin).host;
  return ({ headers: { host = "" }, raw }, reply, next) => {
    const isOne = raw.headersDistinct["host"]?.length === 1;
    const isKnown = host === named || isLoopbackHost(host.replace(/:\d+$/, ""));
    if (isOne && (isKnown || !isLocal())) next();
    else void reply.code(403).send(FOREIGN_HOST);
  };
}
