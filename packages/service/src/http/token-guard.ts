import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Guard } from "./host-guard.js";
import { errorBody, TOO_MANY_WRONG } from "./error-body.js";
import type { WrongCredentials } from "./wrong-credentials.js";

export function createTokenCheck(token: string): (given: string) => boolean {
  const expected = digest(token);
  // The comparison requires equal lengths, which digests have.
  return (given) => timingSafeEqual(digest(given), expected);
}

/** Creates the guard that rejects requests without `Authorization: Bearer` and the token. */
export function createTokenGuard(token: string, wrongCredentials: WrongCredentials): Guard {
  const isExpected = createTokenCheck(token);
  return (request, reply, next) => {
    const [, given = ""] = BEARER.exec(request.headers.authorization ?? "") ?? [];
    if (isExpected(given)) next();
    // Counted after the comparison: the right token is accepted whatever else its address has sent.
    else void refuseToken(request, reply, wrongCredentials);
  };
}

/** Scheme names are case-insensitive. Source: RFC 9110, section 11.1. */
const BEARER = /^bearer +(.+)$/i;

/** Rejects a wrong token with 401, or with 429 after too many from the same address. */
export async function refuseToken(
  { socket }: FastifyRequest,
  reply: FastifyReply,
  wrongCredentials: WrongCredentials,
): Promise<FastifyReply> {
  const waitSeconds = await wrongCredentials.count(socket.remoteAddress);
  if (waitSeconds > 0) {
    return reply.code(429).header("retry-after", waitSeconds).send(TOO_MANY_WRONG);
  }
  return reply
    .code(401)
    .header("www-authenticate", "Bearer")
    .send(errorBody(401, "Missing or wrong token"));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
