import type { LookupType } from "./metrics.js";

/** The routes that lookups are sent to, without their identifier. */
export const LOOKUP_ROUTES: Readonly<Record<LookupType, string>> = {
  email: "/v1/emails",
  ip: "/v1/ips",
};

const ROUTES = Object.values(LOOKUP_ROUTES);

/**
 * Take the identifier out of a path before it is routed, so that no router decodes it: it is decoded
 * once, here, and may hold anything but a slash.
 */
export function routeOf(url: string): string {
  for (const route of ROUTES) if (segmentOf(url, route) !== "") return route;
  return url;
}

/**
 * The identifier in a path that was sent to `route`.
 *
 * @returns undefined when the path has none, null when its escapes are malformed.
 */
export function identifierOf(url: string, route: string): string | null | undefined {
  const segment = segmentOf(url, route);
  if (segment === "") return undefined;
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** The only segment behind a route, as it stands in the path; empty when there is none. */
function segmentOf(url: string, route: string): string {
  const from = route.length + 1;
  if (!url.startsWith(route) || url[route.length] !== "/") return "";
  const query = url.indexOf("?", from);
  const segment = url.slice(from, query < 0 ? url.length : query);
  return segment.includes("/") ? "" : segment;
}
