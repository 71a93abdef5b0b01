import { factsOfKind } from "../../model/event-kind.js";
import type { IntakeEvent } from "../../model/event.js";
import { networkOf } from "../../model/network.js";
import { isInternal } from "./internal-network.js";
import type { PlaybookResponse } from "../../model/playbook.js";
import type { NamedTargets } from "./security-response.js";

/** The part of an event that a playbook stores: its possible targets. */
export type Involved = Pick<
  IntakeEvent,
  "occurredAt" | "kind" | "highRisk" | "addresses" | "accountKeys" | "account"
>;

/**
 * Returns the networks and accounts that a response names.
 * @param isActing True if the accounts take part in the attack, whatever the kinds of the events.
 */
export function targetsOf(
  events: readonly Involved[],
  response: PlaybookResponse,
  isActing = false,
): NamedTargets {
  const { accounts, ipv6Prefix, internalAddresses } = response;
  const addresses = response.addresses ? events.flatMap((event) => event.addresses) : [];
  const networks = addresses
    .filter((ip) => internalAddresses || !isInternal(ip))
    .map((ip) => networkOf(ip, ipv6Prefix));
  const identifiers = new Map<string, Readonly<Record<string, string>>>();
  for (const { kind, highRisk, accountKeys } of accounts === "none" ? [] : events) {
    const acts = isActing || (highRisk && factsOfKind(kind).isAccountActing);
    if (accounts === "acting" && !acts) continue;
    for (const { name, value } of accountKeys) {
      identifiers.set(`${name}=${value}`, { [name]: value });
    }
  }
  return {
    networks: [...new Set(networks)],
    identifiers: [...identifiers.values()],
  };
}
