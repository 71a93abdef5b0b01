import type { FastifyInstance } from "fastify";
import { MemberReader } from "../../detection/events/member-reader.js";
import { FOREIGN_PAGE } from "../error-body.js";
import { addResource } from "../add-resource.js";
import { createTokenCheck, refuseToken } from "../token-guard.js";
import type { WrongCredentials } from "../wrong-credentials.js";
import { isSameOrigin, readSessions, sessionCookie } from "./session-cookie.js";
import type { Sessions } from "./sessions.js";

export interface SessionRouteParts {
  readonly token: string;
  readonly adminOrigin: string | undefined;
  readonly sessions: Sessions;
  readonly wrongCredentials: WrongCredentials;
}

const MAX_TOKEN = 1_024;

/** Serves sign-in with the administration token, and sign-out. */
export function addSessionRoutes(
  scope: FastifyInstance,
  { token, adminOrigin, sessions, wrongCredentials }: SessionRouteParts,
): void {
  const isToken = createTokenCheck(token);

  addResource(scope, "/console/session", {
    async POST(request, reply) {
      if (!isSameOrigin(request, adminOrigin)) return reply.code(403).send(FOREIGN_PAGE);
      const reader = new MemberReader(request.body ?? {}, "the body");
      const given = reader.text("token", MAX_TOKEN) ?? reader.missing("token");
      reader.refuseOthers();
      if (!isToken(given)) return refuseToken(request, reply, wrongCredentials);
      const { id, csrfToken, lifetimeMs } = sessions.open();
      return reply
        .code(201)
        .headers({
          "set-cookie": sessionCookie(request, adminOrigin, id, lifetimeMs),
          "cache-control": "no-store",
        })
        .send({ csrfToken, lifetimeMs });
    },
    async DELETE(request, reply) {
      const isEnded = readSessions(request, adminOrigin).some((shown) => sessions.end(shown));
      if (!isEnded) return refuseToken(request, reply, wrongCredentials);
      return reply
        .header("set-cookie", sessionCookie(request, adminOrigin))
        .send({ signedOut: true });
    },
  });
}
