import type { FastifyRequest } from "fastify";
import type { ShownSession } from "./sessions.js";

/** Header for the half of the session that the page stores. */
const CSRF_HEADER = "x-csrf-token";

/**
 * Reads the sessions named in a request: none if another site sent the request, and several if another
 * server on the host set a cookie with the same name.
 */
export function readSessions(
  request: FastifyRequest,
  adminOrigin: string | undefined,
): readonly ShownSession[] {
  const { headers } = request;
  const csrf = headers[CSRF_HEADER];
  if (!isSameOrigin(request, adminOrigin) || typeof csrf !== "string") return [];
  return cookiesOf(headers.cookie, cookieName(request)).map((id) => ({ id, csrfToken: csrf }));
}

/** Returns true unless a page of another site sent the request. */
export function isSameOrigin(
  { headers }: FastifyRequest,
  adminOrigin: string | undefined,
): boolean {
  const { origin, host, "sec-fetch-site": site } = headers;
  if (typeof site === "string" && site !== "same-origin") return false;
  if (origin === undefined || origin === adminOrigin) return true;
  // A proxy that serves the console with TLS may forward plain HTTP too.
  if (adminOrigin?.endsWith(`//${host}`)) return false;
  return origin === `http://${host}` || origin === `https://${host}`;
}

/**
 * Returns the `Set-Cookie` value for the half of a session that scripts cannot read. Without an id, it
 * returns the value that removes the cookie.
 */
export function sessionCookie(
  request: FastifyRequest,
  adminOrigin: string | undefined,
  id = "",
  lifetimeMs = 0,
): string {
  const seconds = Math.floor(lifetimeMs / 1000);
  const cookie = `${cookieName(request)}=${id}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}`;
  // The browser itself reports that its connection uses TLS; a proxy may end it.
  const { origin = adminOrigin } = request.headers;
  return origin?.startsWith("https:") ? `${cookie}; Secure` : cookie;
}

/** Includes the port, because cookies are shared by all ports of a host. */
function cookieName({ socket }: FastifyRequest): string {
  return `riskgate_session_${socket.localPort ?? "socket"}`;
}

const MAX_SAME = 10;

function cookiesOf(header: string | undefined, name: string): readonly string[] {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  const same = pairs.filter((pair) => pair.startsWith(`${name}=`)).slice(0, MAX_SAME);
  return same.map((pair) => pair.slice(name.length + 1));
}
