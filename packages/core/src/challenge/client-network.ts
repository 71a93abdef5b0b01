import { destinationOf } from "../address/host-address.js";
import { parseIp } from "../address/ip-address.js";

/**
 * Returns the network that identifies a client during a challenge: an IPv4 address, or the /64 of
 * an IPv6 address, within which devices change theirs (RFC 8981). Null for any other value.
 */
export function clientNetwork(ip: unknown): string | null {
  const address = destinationOf(ip);
  if (address === undefined) return null;
  const words = new Uint32Array(4);
  if (parseIp(address, words) === 4) return address;
  return `${words[0]!.toString(16)}:${words[1]!.toString(16)}/64`;
}
