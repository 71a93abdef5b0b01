import type { IpAssessment } from "../model/assessment.js";
import type { WireFlag } from "../model/flags.js";

/** Kinds of network of an address; `access` excludes all others. */
export const NETWORK_KINDS = ["access", "datacenter", "vpn", "proxy", "tor", "private"] as const;

export type NetworkKind = (typeof NETWORK_KINDS)[number];

const OTHERS = NETWORK_KINDS.slice(1);

/** Returns whether an address is in a network of a kind; undefined if that is unknown. */
export function isOfKind(ip: IpAssessment | undefined, kind: NetworkKind): boolean | undefined {
  if (kind !== "access") {
    const flag: unknown = ip?.[`is_${kind}` satisfies WireFlag];
    return typeof flag === "boolean" ? flag : undefined;
  }
  const flags = OTHERS.filter((other) => other !== "private").map((other) => isOfKind(ip, other));
  if (flags.includes(true) || isOfKind(ip, "private") === true) return false;
  return flags.includes(undefined) ? undefined : true;
}
