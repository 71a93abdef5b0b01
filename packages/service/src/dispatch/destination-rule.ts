import { networkInterfaces } from "node:os";
import {
  createIpTable,
  destinationOf,
  isPublicDestination,
  normalizeIp,
} from "@riskgate/core/address";

export interface Listener {
  readonly address: string;
  readonly port: number;
}

/** Returns true if a connection to an IP address and port may be opened. */
export type DestinationRule = (ip: string, port: number) => boolean;

/**
 * Creates the rule for the addresses to which deliveries to one endpoint may be sent: public addresses
 * and those in networks that the operator allows, but never this process itself.
 *
 * @param allowed Addresses and CIDRs; any other text is ignored.
 * @param listeners Returns the sockets on which this process currently listens.
 */
export function createDestinationRule(
  allowed: readonly string[],
  listeners: () => readonly Listener[] = () => [],
): DestinationRule {
  const table = createIpTable(allowed.map((cidr) => [cidr, 1] as const));
  return (given, port) => {
    const real = destinationOf(given);
    if (real === undefined) return false;
    if (listeners().some((listener) => reaches(real, port, listener))) return false;
    return table.marksOf(real) > 0 || isPublicDestination(real);
  };
}

const UNSPECIFIED: readonly string[] = ["0.0.0.0", "::"];

function reaches(ip: string, port: number, listener: Listener): boolean {
  if (listener.port !== port) return false;
  // The operating system maps the unspecified address to this machine.
  if (UNSPECIFIED.includes(ip) || normalizeIp(listener.address) === ip) return true;
  return UNSPECIFIED.includes(listener.address) && isThisMachine(ip);
}

function isThisMachine(ip: string): boolean {
  if (ip === "::1" || ip.startsWith("127.")) return true;
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => normalizeIp(address) === ip),
  );
}
