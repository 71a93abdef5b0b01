import { isIpv4, normalizeIp } from "../address/ip-address.js";
import { createIpTable, type IpTable } from "../address/ip-table.js";
import type { OptionReader } from "../base/options.js";

/**
 * Walk from the socket outward, past trusted proxies only: the first other address is the client.
 *
 * @param forwardedFor Value of X-Forwarded-For; several lines are one list.
 * @returns The address in its one spelling; undefined when the entry that would be the client is not
 * an IP address, because everything further out was written by an unknown party.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | readonly string[] | undefined,
  trusted: IpTable,
): string | undefined {
  let client = cleanAddress(socketAddress);
  if (forwardedFor === undefined) return client;
  const entries = String(forwardedFor).split(",");
  while (client !== undefined && trusted.marksOf(client) > 0) {
    const entry = entries.pop();
    if (entry === undefined) return client;
    client = cleanAddress(entry);
  }
  return client;
}

/**
 * Read an address as proxies and frameworks write it: in quotes, in brackets, with a port.
 *
 * @returns The one spelling, or undefined: what is still not an IP address is never guessed.
 */
export function cleanAddress(value: unknown): string | undefined {
  // 80 characters hold the longest address with everything around it.
  if (typeof value !== "string" || value.length > 80) return undefined;
  const trimmed = value.trim();
  // A new string would have to be hashed again; the string of a socket stays the same.
  if (isIpv4(trimmed)) return trimmed;
  const direct = normalizeIp(trimmed);
  if (direct !== undefined) return direct;
  const text = trimmed.replace(/^"(.*)"$/, "$1");
  const [, inBrackets, dotted] = /^(?:\[([^[\]]+)\]|([0-9.]+))(?::\d{1,5})?$/.exec(text) ?? [];
  return normalizeIp(inBrackets ?? dotted ?? text);
}

/**
 * Read the option `trustedProxies`.
 *
 * @returns Undefined where it is left out.
 * @throws {RiskGateError} CONFIG_INVALID for an entry that is neither an address nor a network.
 */
export function readTrustedProxies(options: OptionReader): IpTable | undefined {
  const entries = options.list("trustedProxies");
  if (!entries) return undefined;
  const marked = entries.map((entry, position) => {
    if (typeof entry === "string" && createIpTable([[entry, 1]]).size === 1)
      return [entry, 1] as const;
    return options.refuse(`trustedProxies[${position}]`, "an IP address or a network", entry);
  });
  return createIpTable(marked);
}
