import type { GatedRequest } from "./gated-request.js";

const MAX_LENGTH = 200;

/**
 * A segment chosen by a programmer, such as `signup`, `v1` or `:id`; others may identify people.
 */
const NAME = /^:?(?!(?:.*\d){4})[\w.~*-]{1,40}$/;

const STATIC = /^\/[\w./~-]*$/;

/**
 * Returns the request path that operator rules match. The route is more reliable than the target,
 * which a router may have rewritten, or matched without some slashes or the part after a semicolon.
 */
export function routedPath({ route, url, request }: GatedRequest): string | undefined {
  return route !== undefined && STATIC.test(route) ? route : (url ?? request.url);
}

/**
 * Returns the method and path of a request for the log: the route pattern if the framework knows
 * it, otherwise the path without its query. A segment that may identify a person becomes `:value`.
 */
export function routeOf({ request, route }: Pick<GatedRequest, "request" | "route">): string {
  // Frameworks shorten `url` for mounted routes.
  const { originalUrl } = request as { originalUrl?: unknown };
  const url = typeof originalUrl === "string" ? originalUrl : (request.url ?? "");
  // Only the start is read, because clients control the length.
  const [path = ""] = (route ?? url).slice(0, 4 * MAX_LENGTH).split(/[?#]/, 1);
  const mask = (segment: string): string =>
    segment === "" || NAME.test(segment) ? segment : ":value";
  return `${request.method ?? ""} ${path.split("/").map(mask).join("/")}`.slice(0, MAX_LENGTH);
}
