import { networkInterfaces } from "node:os";
import {
  createIpTable,
  destinationOf,
  isPublicDestination,
  normalizeIp,
} from "@riskgate/core/address";

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
    const real = destinationOf(given);
    if (real === undefined) return false;
    if (listeners().some((listener) => reaches(real, port, listener))) return false;
    return table.marksOf(real) > 0 || isPublicDestination(real);
  };
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
