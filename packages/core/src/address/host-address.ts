import { normalizeIp, parseIp } from "./ip-address.js";

const words = new Uint32Array(4);

/**
 * Returns the address of the host that has an IP address, in normal form: the host that a
 * connection reaches, or the client that a connection comes from. For an address in 64:ff9b::/96
 * this is the IPv4 address that a gateway translates it to or from (RFC 6052), otherwise the
 * address itself. Undefined for any other value.
 */
export function destinationOf(ip: unknown): string | undefined {
  const normal = normalizeIp(ip);
  if (normal === undefined || parseIp(normal, words) !== 6) return normal;
  if (words[0] !== 0x64ff9b || words[1] !== 0 || words[2] !== 0) return normal;
  const value = words[3]!;
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].join(".");
}
