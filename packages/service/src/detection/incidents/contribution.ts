import type { IntakeEvent } from "../../model/event.js";
import { placeName } from "../../model/place.js";
import type { Instant } from "../../model/instant.js";

/** The part that one event, or one count of requests, adds to an incident. */
export interface Contribution {
  readonly at: Instant;
  /** Events, or requests that were counted. */
  readonly events: number;
  readonly addresses: readonly string[];
  /** In the normal form of their mailboxes, to be counted. */
  readonly accounts: readonly string[];
  /** As reported, to be shown. */
  readonly accountNames: readonly string[];
  readonly userAgents: readonly string[];
  /** Names of locations. */
  readonly places: readonly string[];
  /** Nothing of it got through. */
  readonly blocked: boolean;
}

/** Returns the contribution of a bare count of requests. */
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
