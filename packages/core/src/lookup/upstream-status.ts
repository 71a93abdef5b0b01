/** 4xx statuses that concern the key, the time or the rate; 400 has its own code. */
const NOT_ABOUT_IDENTIFIER: ReadonlySet<number> = new Set([400, 401, 408, 425, 429]);

/**
 * Returns true if the identifier alone can cause this status. Behind a proxy that decodes paths, a
 * slash in it changes the path, and the service responds 404 although it supports the identifier.
 */
export function isAboutIdentifier(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && !NOT_ABOUT_IDENTIFIER.has(status);
}
