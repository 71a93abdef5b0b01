import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { errorBody } from "../error-body.js";
import type { Guard } from "../address-guard.js";

/** Refuse every request without `Authorization: Bearer` and the token. */
export function createTokenGuard(token: string): Guard {
  const expected = digest(`Bearer ${token}`);
  return ({ headers }: FastifyRequest, reply: FastifyReply, next) => {
    // Digests are of one length and tell nothing: the comparison takes the same time for any header.
    if (timingSafeEqual(digest(headers.authorization ?? ""), expected)) next();
    else {
      void reply
        .code(401)
        .header("www-authenticate", "Bearer")
        .send(errorBody(401, "Missing or wrong administration token"));
    }
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
