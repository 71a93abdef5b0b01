import type { Guard } from "../host-guard.js";
import { readSessions } from "../console/session-cookie.js";
import type { Sessions } from "../console/sessions.js";
import { createTokenGuard } from "../token-guard.js";
import type { WrongCredentials } from "../wrong-credentials.js";

/** Creates the guard that rejects requests without the token or a console session. */
export function createAdminGuard(
  token: string,
  adminOrigin: string | undefined,
  sessions: Sessions,
  wrongCredentials: WrongCredentials,
): Guard {
  const guard = createTokenGuard(token, wrongCredentials);
  return (request, reply, next) => {
    const isSession = request.headers.authorization === undefined;
    if (isSession && readSessions(request, adminOrigin).some((shown) => sessions.use(shown)))
      next();
    else guard(request, reply, next);
  };
}
