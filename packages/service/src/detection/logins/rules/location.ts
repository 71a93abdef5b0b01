import { isApart } from "../../../model/place.js";
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

/** Successes on one account, within a period, from two locations far apart. */
export const multiLocations: LoginRule = {
  kind: "auth_multi_locations",
  about: "account",
  fires: ({ success, recentPlaces }, { multiLocationsKm }) =>
    success &&
    recentPlaces.some((a, index) =>
      recentPlaces.slice(index + 1).some((b) => isApart(a, b, multiLocationsKm)),
    ),
};
