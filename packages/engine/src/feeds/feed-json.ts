import { parseShallowJson } from "@riskgate/core/internal";

/**
 * Members with addresses in the range files of large clouds: Amazon, Google, Azure, Oracle,
 * Cloudflare, Fastly, and others of the same formats.
 */
const MEMBERS: ReadonlySet<string> = new Set([
  "addressPrefixes",
  "addresses",
  "cidr",
  "ip_prefix",
  "ipv4Prefix",
  "ipv4_cidrs",
  "ipv6Prefix",
  "ipv6_addresses",
  "ipv6_cidrs",
  "ipv6_prefix",
]);

/** The known formats have five levels; anything deeper is ignored. */
const MAX_DEPTH = 8;

/**
 * Returns the entries of a JSON list: the values of {@link MEMBERS} on any level, alone or in
 * arrays, or an array of strings. The text may also contain one document per line.
 * @returns No entry if the text is not JSON.
 */
export function jsonEntries(text: string): string[] {
  const entries: string[] = [];
  for (const document of documentsOf(text)) collect(document, Array.isArray(document), 0, entries);
  return entries;
}

function documentsOf(text: string): unknown[] {
  try {
    return [parseShallowJson(text)];
  } catch {
    // Each line may be a separate document.
  }
  try {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    return lines.map((line) => parseShallowJson(line));
  } catch {
    return [];
  }
}

function collect(value: unknown, isListed: boolean, depth: number, entries: string[]): void {
  if (typeof value === "string") {
    if (isListed) entries.push(value);
  } else if (typeof value === "object" && value !== null && depth < MAX_DEPTH) {
    if (Array.isArray(value)) {
      for (const item of value) collect(item, isListed, depth + 1, entries);
    } else {
      for (const [name, member] of Object.entries(value)) {
        collect(member, MEMBERS.has(name), depth + 1, entries);
      }
    }
  }
}
