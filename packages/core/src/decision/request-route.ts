import type { GatedRequest } from "./gated-request.js";

/** Longest route that is named. */
const MAX_LENGTH = 200;

/** A name that a programmer chose, such as `signup`, `v1` or `:id`; others may be of a person. */
const NAME = /^:?(?!(?:.*\d){4})[\w.~*-]{1,40}$/;

/** A route that one path leads to, and no pattern of any router. */
const STATIC = /^\/[\w./~-]*$/;

/**
 * The path of a request for rules. A route says better what was reached than the target, which a router may
 * have rewritten, or read without some of its slashes or what is behind a semicolon.
 */
export function routedPath({ route, url, request }: GatedRequest): string | undefined {
  return route !== undefined && STATIC.test(route) ? route : (url ?? request.url);
}

/**
 * Method and path of a request, for the log: the pattern of the route where the framework knows it,
 * otherwise the path without its query. A segment that may identify somebody becomes `:value`.
 */
export function routeOf({ request, route }: Pick<GatedRequest, "request" | "route">): string {
  // A framework that mounts a route shortens `url`.
  const { originalUrl } = request as { originalUrl?: unknown };
  const url = typeof originalUrl === "string" ? originalUrl : (request.url ?? "");
  // Only the start is read: a client chooses how long it is.
  const [path = ""] = (route ?? url).slice(0, 4 * MAX_LENGTH).split(/[?#]/, 1);
  const mask = (segment: string): string =>
    segment === "" || NAME.test(segment) ? segment : ":value";
  return `${request.method ?? ""} ${path.split("/").map(mask).join("/")}`.slice(0, MAX_LENGTH);
}
