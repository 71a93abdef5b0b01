import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Guard } from "./address-guard.js";
import { errorBody, TOO_MANY_WRONG } from "./error-body.js";
import type { WrongCredentials } from "./wrong-credentials.js";

/** Creates the comparison with a token, which takes the same time for every text. */
export function createTokenCheck(token: string): (given: string) => boolean {
  const expected = digest(token);
  // Digests have the same length, as the comparison requires.
  return (given) => timingSafeEqual(digest(given), expected);
}

/** Creates the guard that refuses requests without `Authorization: Bearer` and the token. */
export function createTokenGuard(token: string, wrongCredentials: WrongCredentials): Guard {
  const isExpected = createTokenCheck(token);
  return (request, reply, next) => {
    const [, given = ""] = BEARER.exec(request.headers.authorization ?? "") ?? [];
    if (isExpected(given)) next();
    // Counted after the comparison: the right token passes whatever else its address has sent.
    else void refuseToken(request, reply, wrongCredentials);
  };
}

/** Names of schemes are case-insensitive. Source: RFC 9110, section 11.1. */
const BEARER = /^bearer +(.+)$/i;

/** Answers a wrong token; after too many of them from one address, with 429. */
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
