import type { FastifyReply, FastifyRequest } from "fastify";
import type { KeyHolder } from "../storage/application-store.js";
import type { Authenticator } from "./authenticator.js";
import { type ErrorBody, RATE_LIMITED, TOO_MANY_WRONG } from "./error-body.js";
import type { RequestLimits } from "./request-limits.js";
import type { WrongCredentials } from "./wrong-credentials.js";

export interface KeyHookParts {
  /** Accepts keys of one scope only. */
  readonly authenticator: Authenticator;
  readonly wrongCredentials: WrongCredentials;
  readonly limits: RequestLimits;
}

export interface KeyHook {
  /** Runs before the body is read, which happens only for a valid key. */
  readonly check: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  /** Returns the application of a checked request. */
  readonly holderOf: (request: FastifyRequest) => KeyHolder;
}

/** Creates the check of a key, and of its quota. */
export function createKeyHook(
  { authenticator, wrongCredentials, limits }: KeyHookParts,
  unauthorized: ErrorBody,
): KeyHook {
  const holders = new WeakMap<FastifyRequest, KeyHolder>();
  return {
    async check(request, reply) {
      const key = request.headers["x-api-key"];
      const holder = await authenticator.authenticate(request.raw.socket, key);
      if (!holder) {
        const waitSeconds = await wrongCredentials.count(request.raw.socket.remoteAddress);
        if (waitSeconds === 0) return reply.code(401).send(unauthorized);
        return reply.code(429).header("retry-after", waitSeconds).send(TOO_MANY_WRONG);
      }
      holders.set(request, holder);
      if (!holder.keyQuota) return undefined;
      const waitSeconds = await limits(holder, reply.raw, false);
      if (waitSeconds === 0) return undefined;
      return reply.code(429).header("retry-after", waitSeconds).send(RATE_LIMITED);
    },
    holderOf: (request) => holders.get(request)!,
  };
}
