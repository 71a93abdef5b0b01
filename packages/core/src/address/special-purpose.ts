import { type IpVersion, parseIp } from "./ip-address.js";
import { createIpTable, type IpTable, type IpTableEntry } from "./ip-table.js";

const SPECIAL = 1;
const REACHABLE = 2;

/**
 * IANA's special-purpose address registries for IPv4 and IPv6. `REACHABLE` marks the parts of a
 * special block that the registry lists as globally reachable. Networks for which the registry
 * states neither (6to4, Teredo, the old relay network) are treated as unreachable, and so are
 * site-local and multicast addresses, which cannot belong to a client.
 */
const REGISTRY: readonly IpTableEntry[] = [
  ["0.0.0.0/8", SPECIAL],
  ["10.0.0.0/8", SPECIAL],
  ["100.64.0.0/10", SPECIAL],
  ["127.0.0.0/8", SPECIAL],
  ["169.254.0.0/16", SPECIAL],
  ["172.16.0.0/12", SPECIAL],
  ["192.0.0.0/24", SPECIAL],
  ["192.0.0.9/32", REACHABLE],
  ["192.0.0.10/32", REACHABLE],
  ["192.0.2.0/24", SPECIAL],
  ["192.88.99.0/24", SPECIAL],
  ["192.168.0.0/16", SPECIAL],
  ["198.18.0.0/15", SPECIAL],
  ["198.51.100.0/24", SPECIAL],
  ["203.0.113.0/24", SPECIAL],
  ["224.0.0.0/4", SPECIAL],
  ["240.0.0.0/4", SPECIAL],
  ["::/128", SPECIAL],
  ["::1/128", SPECIAL],
  ["64:ff9b:1::/48", SPECIAL],
  ["100::/64", SPECIAL],
  ["100:0:0:1::/64", SPECIAL],
  ["2001::/23", SPECIAL],
  ["2001:1::1/128", REACHABLE],
  ["2001:1::2/128", REACHABLE],
  ["2001:1::3/128", REACHABLE],
  ["2001:3::/32", REACHABLE],
  ["2001:4:112::/48", REACHABLE],
  ["2001:20::/28", REACHABLE],
  ["2001:30::/28", REACHABLE],
  ["2001:db8::/32", SPECIAL],
  ["2002::/16", SPECIAL],
  ["3fff::/20", SPECIAL],
  ["5f00::/16", SPECIAL],
  ["fc00::/7", SPECIAL],
  ["fe80::/10", SPECIAL],
  ["fec0::/10", SPECIAL],
  ["ff00::/8", SPECIAL],
];

/** Built on first use to keep imports cheap. */
let registry: IpTable | undefined;

const words = new Uint32Array(4);

/** Returns true if the text is a globally reachable IP address. */
export function isPublicIp(ip: string): boolean {
  return isPublicAt(parseIp(ip, words), words);
}

/** Like `isPublicIp`, for an address that `parseIp` wrote to `words`. */
export function isPublicAt(version: IpVersion, words: Uint32Array): boolean {
  registry ??= createIpTable(REGISTRY);
  const marks = registry.marksAt(version, words);
  return marks === 0 || (marks > 0 && (marks & REACHABLE) !== 0);
}
