import { destinationOf, type IpVersion, normalizeIp, parseIp } from "@riskgate/core/address";

/** An address parsed once for all checks. */
export interface ParsedIp {
  /** The address in normal form. */
  readonly text: string;
  /** Address of its host (see `destinationOf`): behind a NAT64 gateway, an IPv4 address. */
  readonly host: string;
  /** Version of the host's address. */
  readonly version: Exclude<IpVersion, 0>;
  /** Value of the host's address (see `parseIp`), valid until the next address is parsed. */
  readonly words: Uint32Array;
}

/** Maximum length of an address, as for `normalizeIp`. */
const MAX_LENGTH = 64;

/** First word of 64:ff9b::/96. */
const NAT64 = 0x64ff9b;

// Shared by all addresses: its contents are used before any other code runs.
const words = new Uint32Array(4);

export function parseAddress(given: unknown): ParsedIp | undefined {
  if (typeof given !== "string" || given.length > MAX_LENGTH) return undefined;
  const version = parseIp(given, words);
  if (version === 0) return undefined;
  // Dotted IPv4 has one spelling; `normalizeIp` parses into separate memory.
  const text = version === 4 && !given.includes(":") ? given : normalizeIp(given)!;
  if (version === 4 || words[0] !== NAT64) return { text, host: text, version, words };
  const host = destinationOf(text)!;
  return { text, host, version: parseIp(host, words) as 4 | 6, words };
}
