import type { FastifyRequest } from "fastify";
import type { ShownSession } from "./sessions.js";

/** Header that holds the half of the session which the page keeps. */
const CSRF_HEADER = "x-csrf-token";

/** Reads what a request shows of a session; nothing where another site has sent it. */
export function readSession(request: FastifyRequest): ShownSession {
  const { headers } = request;
  const csrf = headers[CSRF_HEADER];
  if (!isSameOrigin(request)) return { id: undefined, csrfToken: undefined };
  return {
    id: cookieOf(headers.cookie, cookieName(request)),
    csrfToken: typeof csrf === "string" ? csrf : undefined,
  };
}

/** Whether a request comes from a page of this service, or from no page at all. */
export function isSameOrigin({ headers }: FastifyRequest): boolean {
  const { origin, host, "sec-fetch-site": site } = headers;
  if (typeof site === "string" && site !== "same-origin") return false;
  return origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
}

/**
 * The value of `Set-Cookie` for the half of a session that scripts cannot read; without an id, to
 * remove it.
 */
export function sessionCookie(request: FastifyRequest, id?: string, lifetimeMs = 0): string {
  const seconds = Math.floor(lifetimeMs / 1000);
  return `${cookieName(request)}=${id ?? ""}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}`;
}

/** Cookies belong to a host with all of its ports: two services on it must not share one. */
function cookieName({ socket }: FastifyRequest): string {
  return `riskgate_session_${socket.localPort}`;
}

function cookieOf(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
