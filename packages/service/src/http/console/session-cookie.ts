import type { FastifyRequest } from "fastify";
import type { ShownSession } from "./sessions.js";

/** Header that holds the half of the session which the page keeps. */
const CSRF_HEADER = "x-csrf-token";

/**
 * Reads what a request shows of a session: nothing where another site has sent it, and several things where
 * another server on the host has set a cookie of that name.
 */
export function readSessions(request: FastifyRequest): readonly ShownSession[] {
  const { headers } = request;
  const csrf = headers[CSRF_HEADER];
  if (!isSameOrigin(request) || typeof csrf !== "string") return [];
  return cookiesOf(headers.cookie, cookieName(request)).map((id) => ({ id, csrfToken: csrf }));
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

/** Most cookies of one name that are looked at. */
const MAX_SAME = 10;

function cookiesOf(header: string | undefined, name: string): readonly string[] {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  const same = pairs.filter((pair) => pair.startsWith(`${name}=`)).slice(0, MAX_SAME);
  return same.map((pair) => pair.slice(name.length + 1));
}
