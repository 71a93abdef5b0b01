import type { IpGeo } from "@riskgate/core";
import { COUNTRY_CODES } from "@riskgate/core/address";
import { pathsTo } from "./record-forms.js";
import { firstMember } from "./record-member.js";

const COUNTRY = pathsTo("country");
const CITY = pathsTo("city");
const LATITUDE = pathsTo("latitude");
const LONGITUDE = pathsTo("longitude");
const RADIUS = pathsTo("radius");

/**
 * Reads the location from a MaxMind DB record, which may contain any value. Missing members and
 * those of the wrong type are omitted.
 */
export function locationOf(record: unknown): IpGeo {
  const latitude = firstMember(record, LATITUDE, degreeUpTo(90));
  const longitude = firstMember(record, LONGITUDE, degreeUpTo(180));
  const code = firstMember(record, COUNTRY, codeOf);
  const city = firstMember(record, CITY, textOf);
  const radius = firstMember(record, RADIUS, kmOf);
  return {
    ...(latitude !== undefined && longitude !== undefined && { latitude, longitude }),
    ...(code !== undefined && { country_code: code }),
    ...(city !== undefined && { city }),
    ...(radius !== undefined && { accuracy_km: radius }),
  };
}

/** ISO assigns no code to Kosovo; this one is customary. */
function codeOf(country: unknown): string | undefined {
  if (typeof country !== "string") return undefined;
  if (country === "XK") return "XKX";
  return Object.hasOwn(COUNTRY_CODES, country) ? COUNTRY_CODES[country] : undefined;
}

/** Some publishers write degrees as text. */
function degreeUpTo(limit: number): (value: unknown) => number | undefined {
  return (value) => {
    const degrees = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    return typeof degrees === "number" && Math.abs(degrees) <= limit ? degrees : undefined;
  };
}

function kmOf(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 ? value : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
