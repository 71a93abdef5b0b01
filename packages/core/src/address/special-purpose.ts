import { type IpVersion, parseIp } from "./ip-address.js";
import { createIpTable, type IpTable, type IpTableEntry } from "./ip-table.js";

const SPECIAL = 1;
const REACHABLE = 2;

/**
 * The special-purpose address registries of IANA, IPv4 and IPv6. A plus marks the parts of a
 * special block that the registry calls globally reachable. Networks for which the registry gives
 * no answer (6to4, Teredo, the old relay network) count as not reachable, and so do site-local
 * addresses and multicast, which cannot be a client's address.
 */
const REGISTRY = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
  192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24
  224.0.0.0/4 240.0.0.0/4 ::/128 ::1/128 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23
  2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8 +192.0.0.9/32
  +192.0.0.10/32 +2001:1::1/128 +2001:1::2/128 +2001:1::3/128 +2001:3::/32 +2001:4:112::/48
  +2001:20::/28 +2001:30::/28
`;

function entryOf(network: string): IpTableEntry {
  return network.startsWith("+") ? [network.slice(1), REACHABLE] : [network, SPECIAL];
}

let registry: IpTable | undefined;

const words = new Uint32Array(4);

/** Returns true if the text is a globally reachable IP address. */
export function isPublicIp(ip: string): boolean {
  return isPublicAt(parseIp(ip, words), words);
}

/** Like `isPublicIp`, for an address that `parseIp` wrote to `words`. */
export function isPublicAt(version: IpVersion, words: Uint32Array): boolean {
  registry ??= createIpTable(REGISTRY.trim().split(/\s+/).map(entryOf));
  const marks = registry.marksAt(version, words);
  return marks === 0 || (marks > 0 && (marks & REACHABLE) !== 0);
}
