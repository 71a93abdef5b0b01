import { isApart } from "../../../model/place.js";
import type { LoginRule } from "./login-rule.js";

/** A success far from every place that the owner of the account is known to log in from. */
export const newLocation: LoginRule = {
  kind: "auth_new_location",
  about: "both",
  fires: ({ success, place, knownPlaces }, { newLocationKm }) =>
    success &&
    place !== undefined &&
    // The first place of all is where the account lives, not a new one.
    knownPlaces.length > 0 &&
    knownPlaces.every((known) => isApart(known, place, newLocationKm)),
};

/** Successes on one account, within a while, from two places far apart. */
export const multiLocations: LoginRule = {
  kind: "auth_multi_locations",
  about: "account",
  fires: ({ success, recentPlaces }, { multiLocationsKm }) =>
    success &&
    recentPlaces.some((a, index) =>
      recentPlaces.slice(index + 1).some((b) => isApart(a, b, multiLocationsKm)),
    ),
};
