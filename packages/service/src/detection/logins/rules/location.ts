import { formatTimestamp } from "@riskgate/core/payloads";
import { isApart, placeName } from "../../../model/place.js";
import type { LoginThresholds } from "../login-thresholds.js";
import type { Journey, Stop } from "../travel.js";
import type { LoginRule } from "./login-rule.js";

/** A success far from every location from which the account's owner is known to log in. */
export const newLocation: LoginRule = {
  kind: "auth_new_location",
  about: "both",
  fires: ({ success, place, knownPlaces }, { newLocationKm }) =>
    success &&
    place !== undefined &&
    // The first location is the owner's usual one, not a new one.
    knownPlaces.length > 0 &&
    knownPlaces.every((known) => isApart(known, place, newLocationKm)),
};

/** A success from a place that nobody reaches from the last login in the time between the two. */
export const multiLocations: LoginRule = {
  kind: "auth_multi_locations",
  about: "account",
  fires: ({ success, journeys }, thresholds) =>
    success && impossibleOf(journeys, thresholds) !== undefined,
  details({ journeys }, thresholds, account) {
    const journey = impossibleOf(journeys, thresholds);
    if (!journey) return {};
    // The later one, also if it was reported first.
    const { at: occurredAt, address, place } = journey.to;
    return {
      occurredAt,
      ips: [{ address, geo: place }],
      travel: travelOf(journey),
      description: sentenceOf(journey, account),
    };
  },
};

/** Returns the fastest journey beyond the bounds that ends with a device that is not known. */
function impossibleOf(
  journeys: readonly Journey[],
  { travelKm, travelKmh }: LoginThresholds,
): Journey | undefined {
  return journeys
    .filter(({ km, kmh, to }) => km >= travelKm && kmh > travelKmh && !to.isKnownDevice)
    .toSorted((one, other) => other.kmh - one.kmh)[0];
}

function travelOf({ from, to, km, kmh }: Journey): object {
  const stop = ({ at, place }: Stop) => ({ date_occurred: formatTimestamp(at), geo: place });
  return {
    from: stop(from),
    to: stop(to),
    distance_km: Math.round(km),
    speed_kmh: Math.round(kmh),
  };
}

function sentenceOf({ from, to, km, kmh }: Journey, account: string): string {
  const [start = "an unnamed place", end = "an unnamed place"] = [from, to].map(({ place }) =>
    placeName(place),
  );
  const [left, arrived] = [from, to].map(({ at }) => formatTimestamp(at).slice(0, 19));
  const [distance, speed] = [km, kmh].map((one) => Math.round(one).toLocaleString("en"));
  return `Connections to ${account} from ${start} at ${left}Z and from ${end} at ${arrived}Z: ${distance} km apart, at ${speed} km/h`;
}
