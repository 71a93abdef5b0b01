import { normalizeIp } from "../address/ip-address.js";
import { createIpTable, type IpTableEntry } from "../address/ip-table.js";
import type { OptionReader } from "../base/options.js";

export type TrustedProxies = number | readonly string[];

/** Identifies trusted proxies in a chain of addresses. */
export interface ProxyTrust {
  readonly isProxy: (address: string, hopsFromSocket: number) => boolean;
  /**
   * True if a proxy may itself be the client. With a proxy count it may not: a chain shorter than
   * the count bypassed a proxy.
   */
  readonly mayBeClient: boolean;
}

/**
 * Walks from the socket outward past trusted proxies: the first other address is the client.
 *
 * @param forwardedFor Value of X-Forwarded-For; several header lines form one list.
 * @returns The address in normal form; undefined if the client's entry is missing or not an IP
 * address, because an unknown party wrote everything further out.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | readonly string[] | undefined,
  trusted: ProxyTrust,
): string | undefined {
  let client = cleanAddress(socketAddress);
  const entries = forwardedFor === undefined ? [] : String(forwardedFor).split(",");
  for (let hops = 0; client !== undefined && trusted.isProxy(client, hops); hops++) {
    const entry = entries.pop();
    if (entry === undefined) return trusted.mayBeClient ? client : undefined;
    client = cleanAddress(entry);
  }
  return client;
}

/**
 * Reads an address as written by proxies and frameworks: quoted, in brackets or with a port.
 *
 * @returns The normal form; undefined for any other text: addresses are never guessed.
 */
export function cleanAddress(value: unknown): string | undefined {
  // The longest address, with everything around it, has fewer than 80 characters.
  if (typeof value !== "string" || value.length > 80) return undefined;
  const trimmed = value.trim();
  const direct = normalizeIp(trimmed);
  if (direct !== undefined) return direct;
  const text = trimmed.replace(/^"(.*)"$/, "$1");
  const [, inBrackets, dotted] = /^(?:\[([^[\]]+)\]|([0-9.]+))(?::\d{1,5})?$/.exec(text) ?? [];
  return normalizeIp(inBrackets ?? dotted ?? text);
}

/** Named networks. Source: RFC 1122, 1918, 3927, 4193 and 4291. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "::1"],
  private: [
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "169.254.0.0/16",
    "fc00::/7",
    "fe80::/10",
  ],
};

const MAX_HOPS = 100;

/**
 * Reads the option `trustedProxies`.
 *
 * @returns Undefined if the option is missing.
 * @throws {RiskGateError} CONFIG_INVALID for an invalid number, or an entry that is not an address,
 * network or name.
 */
export function readTrustedProxies(options: OptionReader): ProxyTrust | undefined {
  if (typeof options.value("trustedProxies") === "number") {
    const count = options.integer("trustedProxies", 0, { min: 0, max: MAX_HOPS });
    return { isProxy: (_, hops) => hops < count, mayBeClient: false };
  }
  const entries = options.list("trustedProxies");
  if (!entries) return undefined;
  const marked = entries.flatMap((entry, position): IpTableEntry[] => {
    const networks = typeof entry === "string" ? namedOr(entry) : [];
    const marks = networks.map((network) => [network, 1] as const);
    if (marks.length > 0 && createIpTable(marks).size === marks.length) return marks;
    const expected = 'an IP address, a network, "loopback" or "private"';
    return options.refuse(`trustedProxies[${position}]`, expected, entry);
  });
  const table = createIpTable(marked);
  return { isProxy: (address) => table.marksOf(address) > 0, mayBeClient: true };
}

function namedOr(entry: string): readonly string[] {
  return Object.hasOwn(NAMED, entry) ? NAMED[entry]! : [entry];
}
