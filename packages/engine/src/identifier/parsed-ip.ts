import { type IpVersion, normalizeIp, parseIp } from "@riskgate/core/address";

/** An address parsed once for all checks. */
export interface ParsedIp {
  readonly text: string;
  readonly version: Exclude<IpVersion, 0>;
  /** Value (see `parseIp`), valid until the next address is parsed. */
  readonly words: Uint32Array;
}

/** Maximum length of an address, as for `normalizeIp`. */
const MAX_LENGTH = 64;

// Shared by all addresses: its contents are used before any other code runs.
const words = new Uint32Array(4);

export function parseAddress(given: unknown): ParsedIp | undefined {
  if (typeof given !== "string" || given.length > MAX_LENGTH) return undefined;
  const version = parseIp(given, words);
  if (version === 0) return undefined;
  // Dotted IPv4 has one spelling; `normalizeIp` parses into separate memory.
  const text = version === 4 && !given.includes(":") ? given : normalizeIp(given)!;
  return { text, version, words };
}
