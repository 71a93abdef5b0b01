import { normalizeIp, parseIp } from "./ip-address.js";
import { isPublicIp } from "./special-purpose.js";

const words = new Uint32Array(4);

/**
 * The address that a connection to an IP address ends at, in its normal form: the IPv4 address that
 * a gateway translates an address of 64:ff9b::/96 to (RFC 6052), else the address itself. Undefined
 * for anything that is not an IP address.
 */
export function destinationOf(ip: string): string | undefined {
  const normal = normalizeIp(ip);
  if (normal === undefined || parseIp(normal, words) !== 6) return normal;
  if (words[0] !== 0x64ff9b || words[1] !== 0 || words[2] !== 0) return normal;
  const value = words[3]!;
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].join(".");
}

/** Whether a connection to an IP address leads to a public one; false for anything else. */
export function isPublicDestination(ip: string): boolean {
  const real = destinationOf(ip);
  if (real === undefined) return false;
  // No IPv6 address outside 2000::/3 is assigned; obsolete embeddings of IPv4 are there.
  if (parseIp(real, words) === 6 && words[0]! >>> 29 !== 1) return false;
  return isPublicIp(real);
}
