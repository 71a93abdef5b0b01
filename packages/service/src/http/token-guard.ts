import { createHash, timingSafeEqual } from "node:crypto";
import type { Guard } from "./address-guard.js";
import { errorBody, TOO_MANY_WRONG } from "./error-body.js";
import type { WrongCredentials } from "./wrong-credentials.js";

/** Refuses every request without `Authorization: Bearer` and the token. */
export function createTokenGuard(token: string, wrongCredentials: WrongCredentials): Guard {
  const expected = digest(`Bearer ${token}`);
  return ({ headers, socket }, reply, next) => {
    // Digests have one length: the comparison takes the same time for any header.
    if (timingSafeEqual(digest(headers.authorization ?? ""), expected)) next();
    else {
      // After the token was looked at: the right one passes whatever else its address has sent.
      void wrongCredentials.count(socket.remoteAddress).then((waitSeconds) => {
        if (waitSeconds > 0) {
          return reply.code(429).header("retry-after", waitSeconds).send(TOO_MANY_WRONG);
        }
        return reply
          .code(401)
          .header("www-authenticate", "Bearer")
          .send(errorBody(401, "Missing or wrong token"));
      });
    }
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
