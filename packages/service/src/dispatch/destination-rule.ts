import { networkInterfaces } from "node:os";
import { createIpTable, isPublicIp, normalizeIp, parseIp } from "@riskgate/core/address";

/** Address and port that this process listens on. */
export interface Listener {
  readonly address: string;
  readonly port: number;
}

/** Whether a connection to an IP address may be opened. */
export type DestinationRule = (ip: string, port: number) => boolean;

/**
 * Makes the rule that says which addresses the deliveries to one endpoint may be sent to: public
 * ones and those of the networks that the operator allows, but never this process itself.
 *
 * @param allowed Addresses and CIDRs; any other text allows nothing.
 * @param listeners Where this process listens at the moment.
 */
export function createDestinationRule(
  allowed: readonly string[],
  listeners: () => readonly Listener[] = () => [],
): DestinationRule {
  const table = createIpTable(allowed.map((cidr) => [cidr, 1] as const));
  return (given, port) => {
    const ip = normalizeIp(given);
    if (ip === undefined) return false;
    const real = translatedIpv4(ip) ?? ip;
    if (listeners().some((listener) => reaches(real, port, listener))) return false;
    return table.marksOf(real) > 0 || isReachable(real);
  };
}

const words = new Uint32Array(4);

/** The IPv4 address that a gateway translates an address of 64:ff9b::/96 to. Source: RFC 6052. */
function translatedIpv4(ip: string): string | undefined {
  if (parseIp(ip, words) !== 6) return undefined;
  if (words[0] !== 0x64ff9b || words[1] !== 0 || words[2] !== 0) return undefined;
  const value = words[3]!;
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].join(".");
}

function isReachable(ip: string): boolean {
  // No IPv6 address outside 2000::/3 is assigned; obsolete embeddings of IPv4 are there.
  if (parseIp(ip, words) === 6 && words[0]! >>> 29 !== 1) return false;
  return isPublicIp(ip);
}

const UNSPECIFIED: readonly string[] = ["0.0.0.0", "::"];

function reaches(ip: string, port: number, listener: Listener): boolean {
  if (listener.port !== port) return false;
  // The operating system treats the unspecified address as this machine.
  if (UNSPECIFIED.includes(ip) || normalizeIp(listener.address) === ip) return true;
  return UNSPECIFIED.includes(listener.address) && isThisMachine(ip);
}

function isThisMachine(ip: string): boolean {
  if (ip === "::1" || ip.startsWith("127.")) return true;
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => normalizeIp(address) === ip),
  );
}
