/** A path in a rule: one path, or everything below it. */
export const PATH_PATTERN: RegExp = /^\/(?:[^?#*\s]*|(?:[^?#*\s]*\/)?\*)$/;

/**
 * Returns the normalized path of a request target. Routers differ in whether letter case, doubled
 * or trailing slashes and percent-encoding matter: rules ignore all of these, so that no spelling
 * reaches a route while bypassing its rule.
 *
 * @returns Undefined for a target without a path, such as `*`.
 */
export function normalizePath(target: string): string | undefined {
  const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(target)?.[0] ?? "";
  const [path = ""] = target.slice(origin.length).split(/[?#]/, 1);
  if (path === "") return origin === "" ? undefined : "/";
  if (!path.startsWith("/")) return undefined;
  const lower = decoded(path)
    .toLowerCase()
    .replace(/\/{2,}/g, "/");
  let end = lower.length;
  while (end > 1 && lower[end - 1] === "/") end--;
  return lower.slice(0, end);
}

function decoded(path: string): string {
  if (!path.includes("%")) return path;
  try {
    // An encoded slash is left unchanged: it is not a separator.
    return decodeURI(path);
  } catch {
    return path;
  }
}

export function pathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const exact = new Set<string>();
  const prefixes: string[] = [];
  for (const pattern of patterns) {
    if (pattern.endsWith("*")) prefixes.push(decoded(pattern.slice(0, -1)).toLowerCase());
    else exact.add(normalizePath(pattern)!);
  }
  return (path) => exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix));
}
