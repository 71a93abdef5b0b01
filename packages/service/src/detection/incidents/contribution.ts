import type { IntakeEvent } from "../../model/event.js";
import { placeName } from "../../model/place.js";
import type { Instant } from "../../model/instant.js";

/** The amounts that one event, or one request count, adds to an incident. */
export interface Contribution {
  readonly at: Instant;
  readonly events: number;
  readonly addresses: readonly string[];
  /** Accounts in the normal form of their mailboxes, for counting. */
  readonly accounts: readonly string[];
  readonly accountNames: readonly string[];
  readonly userAgents: readonly string[];
  readonly places: readonly string[];
  /** True if everything was blocked. */
  readonly blocked: boolean;
}

export function contributionOfCount(at: Instant, events: number): Contribution {
  const nothing = { addresses: [], accounts: [], accountNames: [], userAgents: [], places: [] };
  return { at, events, ...nothing, blocked: false };
}

export function contributionOfEvent(event: IntakeEvent): Contribution {
  const { occurredAt: at, addresses, userAgents, blocked, payload } = event;
  const { mailboxes: accounts, accounts: accountNames } = event;
  const places = payload.ips.flatMap(({ geo }) => placeName(geo) ?? []);
  return { at, events: 1, addresses, accounts, accountNames, userAgents, places, blocked };
}
