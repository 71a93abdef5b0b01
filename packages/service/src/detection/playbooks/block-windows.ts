import { mailboxOf } from "@riskgate/core/address";
import type { Instant } from "../../model/instant.js";
import type { NamedTargets } from "./security-response.js";

/** Map of the windows with the latest block of each target, whoever set it. */
export const BLOCKS = "blocks";

export interface BlockPeriod {
  readonly since: Instant;
  readonly until: Instant;
}

/** Returns the key by which two responses block the same network or account. */
export function blockKeyOf(type: "network" | "account", target: string): string {
  return `${type}/${type === "account" ? mailboxOf(target) : target}`;
}

export function blockKeysOf({ networks = [], identifiers = [] }: Partial<NamedTargets>): string[] {
  const accounts = identifiers.flatMap((one) => Object.values(one));
  return [
    ...networks.map((network) => blockKeyOf("network", network)),
    ...accounts.map((account) => blockKeyOf("account", account)),
  ];
}
