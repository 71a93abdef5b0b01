import type { IntakeEvent } from "../events/event.js";
import { placeName } from "../events/place.js";
import type { Instant } from "../storage/instant.js";

/** What one event, or one count of requests, adds to an incident. */
export interface Tally {
  readonly at: Instant;
  /** Events, or requests that were counted. */
  readonly events: number;
  readonly addresses: readonly string[];
  readonly accounts: readonly string[];
  readonly userAgents: readonly string[];
  /** Names of locations. */
  readonly places: readonly string[];
  /** Nothing of it got through. */
  readonly blocked: boolean;
}

/** A count of requests of which nothing more is known. */
export function tallyOfCount(at: Instant, events: number): Tally {
  return { at, events, addresses: [], accounts: [], userAgents: [], places: [], blocked: false };
}

export function tallyOfEvent(event: IntakeEvent): Tally {
  const { occurredAt: at, addresses, accounts, userAgents, blocked, payload } = event;
  const places = payload.ips.flatMap(({ geo }) => placeName(geo) ?? []);
  return { at, events: 1, addresses, accounts, userAgents, places, blocked };
}
