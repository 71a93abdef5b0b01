import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Guard } from "./address-guard.js";
import { errorBody, TOO_MANY_WRONG } from "./error-body.js";
import type { WrongCredentials } from "./wrong-credentials.js";

/** Whether a text is the expected one; takes the same time for every text. */
export function createTokenCheck(token: string): (given: string) => boolean {
  const expected = digest(token);
  // Digests have one length.
  return (given) => timingSafeEqual(digest(given), expected);
}

/** Refuses every request without `Authorization: Bearer` and the token. */
export function createTokenGuard(token: string, wrongCredentials: WrongCredentials): Guard {
  const isExpected = createTokenCheck(token);
  return (request, reply, next) => {
    const [, given = ""] = BEARER.exec(request.headers.authorization ?? "") ?? [];
    if (isExpected(given)) next();
    // After the token was looked at: the right one passes whatever else its address has sent.
    else void refuseToken(request, reply, wrongCredentials);
  };
}

/** The name of a scheme has no letter case. Source: RFC 9110, section 11.1. */
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
