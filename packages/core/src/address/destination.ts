import { destinationOf } from "./host-address.js";
import { parseIp } from "./ip-address.js";
import { isPublicIp } from "./special-purpose.js";

const words = new Uint32Array(4);

export function isPublicDestination(ip: string): boolean {
  const real = destinationOf(ip);
  if (real === undefined) return false;
  // Outside 2000::/3, no IPv6 address is assigned, and there are obsolete embeddings of IPv4.
  if (parseIp(real, words) === 6 && words[0]! >>> 29 !== 1) return false;
  return isPublicIp(real);
}
