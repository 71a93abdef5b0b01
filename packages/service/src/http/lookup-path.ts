import type { LookupType } from "./metrics.js";

/** The routes that lookups are sent to, without their identifier. */
export const LOOKUP_ROUTES: Readonly<Record<LookupType, string>> = {
  email: "/v1/emails",
  ip: "/v1/ips",
};

const LOOKUP_PATH = /^\/v1\/(email|ip)s\/([^/?]+)(?:\?|$)/;

/**
 * Take the identifier out of a path before it is routed, so that no router decodes it: it is decoded
 * once, here, and may hold anything but a slash.
 */
export function routeOf(url: string): string {
  const type = LOOKUP_PATH.exec(url)?.[1] as LookupType | undefined;
  return type === undefined ? url : LOOKUP_ROUTES[type];
}

/**
 * The identifier in a path.
 *
 * @returns undefined when the path has none, null when its escapes are malformed.
 */
export function identifierOf(url: string): string | null | undefined {
  const segment = LOOKUP_PATH.exec(url)?.[2];
  if (segment === undefined || !segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
