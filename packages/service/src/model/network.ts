import { normalizeIp, parseIp } from "@riskgate/core/address";

const words = new Uint32Array(4);

/**
 * Returns the network of an address in CIDR notation: a single IPv4 address, or the network with the
 * given prefix of an IPv6 address, since its holder usually controls the whole /64.
 *
 * @param ip Address in its normal form.
 */
export function networkOf(ip: string, ipv6Prefix: 64 | 128): string {
  if (parseIp(ip, words) === 4) return `${ip}/32`;
  if (ipv6Prefix === 128) return `${ip}/128`;
  const groups = [words[0]! >>> 16, words[0]! & 0xffff, words[1]! >>> 16, words[1]! & 0xffff];
  const start = `${groups.map((group) => group.toString(16)).join(":")}::`;
  return `${normalizeIp(start)!}/64`;
}
