import type { LookupType } from "../lookups/answered-lookup.js";

export const LOOKUP_PATHS: Readonly<Record<LookupType, string>> = {
  email: "/v1/emails/",
  ip: "/v1/ips/",
};

export interface LookupPath {
  readonly type: LookupType;
  readonly segment: string;
}

/** Reads a lookup path; undefined for any other path, even one with more or fewer segments. */
export function readLookupPath(url: string): LookupPath | undefined {
  const isIp = url.startsWith(LOOKUP_PATHS.ip);
  if (!isIp && !url.startsWith(LOOKUP_PATHS.email)) return undefined;
  const type = isIp ? "ip" : "email";
  const from = LOOKUP_PATHS[type].length;
  const query = url.indexOf("?", from);
  const segment = query < 0 ? url.slice(from) : url.slice(from, query);
  return segment === "" || segment.includes("/") ? undefined : { type, segment };
}

/** Returns the last path segment of a URL, without decoding it. */
export function lastSegment(url: string): string {
  const query = url.indexOf("?");
  const path = query < 0 ? url : url.slice(0, query);
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Decodes a segment once; undefined if an escape is malformed. */
export function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
