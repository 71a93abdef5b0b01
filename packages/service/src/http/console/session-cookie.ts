import type { FastifyRequest } from "fastify";
import type { ShownSession } from "./sessions.js";

/** Header with the half of the session that the page stores. */
const CSRF_HEADER = "x-csrf-token";

/**
 * Reads the sessions that a request names: none if another site sent it, and several if another
 * server on the host set a cookie of that name.
 */
export function readSessions(request: FastifyRequest): readonly ShownSession[] {
  const { headers } = request;
  const csrf = headers[CSRF_HEADER];
  if (!isSameOrigin(request) || typeof csrf !== "string") return [];
  return cookiesOf(headers.cookie, cookieName(request)).map((id) => ({ id, csrfToken: csrf }));
}

/** Returns true if a page of this service sent the request, or no page at all. */
export function isSameOrigin({ headers }: FastifyRequest): boolean {
  const { origin, host, "sec-fetch-site": site } = headers;
  if (typeof site === "string" && site !== "same-origin") return false;
  return origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
}

/**
 * Returns the value of `Set-Cookie` for the half of a session that scripts cannot read; without an
 * id, the value that removes it.
 */
export function sessionCookie(request: FastifyRequest, id?: string, lifetimeMs = 0): string {
  const seconds = Math.floor(lifetimeMs / 1000);
  return `${cookieName(request)}=${id ?? ""}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}`;
}

/** Cookies belong to a host with all its ports: two services on one host must not share a name. */
function cookieName({ socket }: FastifyRequest): string {
  return `riskgate_session_${socket.localPort}`;
}

/** Number of cookies of one name that are read. */
const MAX_SAME = 10;

function cookiesOf(header: string | undefined, name: string): readonly string[] {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  const same = pairs.filter((pair) => pair.startsWith(`${name}=`)).slice(0, MAX_SAME);
  return same.map((pair) => pair.slice(name.length + 1));
}
