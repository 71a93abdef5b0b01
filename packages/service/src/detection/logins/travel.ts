import { coordinatesOf, type EventGeo } from "@riskgate/core/payloads";
import type { Instant } from "../../model/instant.js";
import { distanceKm, type Located } from "../../model/place.js";
import type { LoginOutcome } from "./outcome.js";

/** Where and when an account logged in. */
export interface Stop {
  readonly at: Instant;
  readonly address: string;
  readonly place: EventGeo;
  /** Radius around the coordinates within which the visitor is, in kilometres. */
  readonly accuracyKm?: number;
  readonly isKnownDevice?: true;
}

/** The way between two logins that follow each other. */
export interface Journey {
  readonly from: Stop;
  readonly to: Stop;
  /** Distance that was certainly travelled: between the nearest points of both radii. */
  readonly km: number;
  readonly kmh: number;
}

/** Number of stops per account, so that late outcomes still have a stop before and after them. */
const MAX_STOPS = 3;

const HOUR = 3_600_000_000;

/** Logins closer than this count as this far apart, because applications report them with delay. */
const SHORTEST = HOUR / 60;

/**
 * Returns the stop of a successful login; undefined if its address does not show the visitor's location:
 * it has no coordinates, or belongs to a VPN, a proxy, Tor, a relay or a hosting network.
 */
export function stopOf(
  { at, address, location, device }: LoginOutcome,
  { geo, isDetour, accuracyKm }: Located,
): Stop | undefined {
  const place = location ?? geo;
  if (isDetour || !coordinatesOf(place)) return undefined;
  const isExact = location !== undefined || accuracyKm === undefined;
  return {
    at,
    address,
    place,
    ...(!isExact && { accuracyKm }),
    ...(device === "known" && { isKnownDevice: true }),
  };
}

/** Adds a stop, and keeps the last ones, oldest first. */
export function addStop(stops: readonly Stop[], stop: Stop): readonly Stop[] {
  return [...stops, stop].toSorted((one, other) => one.at - other.at).slice(-MAX_STOPS);
}

/** Returns the journeys to a stop from the one before, and from it to the one after. */
export function journeysAt(stops: readonly Stop[], stop: Stop): readonly Journey[] {
  const before = stops.findLast(({ at }) => at <= stop.at);
  const after = stops.find(({ at }) => at > stop.at);
  return [...(before ? [journey(before, stop)] : []), ...(after ? [journey(stop, after)] : [])];
}

function journey(from: Stop, to: Stop): Journey {
  const [start, end] = [coordinatesOf(from.place), coordinatesOf(to.place)];
  const apart = start && end ? distanceKm(start, end) : 0;
  const km = Math.max(0, apart - (from.accuracyKm ?? 0) - (to.accuracyKm ?? 0));
  return { from, to, km, kmh: km / (Math.max(to.at - from.at, SHORTEST) / HOUR) };
}
