import type { GatedRequest } from "./gated-request.js";

/** Longest name of a route. */
const MAX_LENGTH = 200;

/** A name that a programmer chose, such as `signup`, `v1` or `:id`; others may identify a person. */
const NAME = /^:?(?!(?:.*\d){4})[\w.~*-]{1,40}$/;

/** A route without a pattern. */
const STATIC = /^\/[\w./~-]*$/;

/**
 * Returns the path of a request for rules. A route is more reliable than the target, which a router may
 * have rewritten, or read without some slashes or the part behind a semicolon.
 */
export function routedPath({ route, url, request }: GatedRequest): string | undefined {
  return route !== undefined && STATIC.test(route) ? route : (url ?? request.url);
}

/**
 * Returns method and path of a request, for the log: the pattern of the route if the framework knows
 * it, otherwise the path without its query. A segment that may identify a person becomes `:value`.
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
