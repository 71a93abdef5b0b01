import type { IpGeo } from "@riskgate/core";
import { COUNTRY_CODES } from "@riskgate/core/address";
import { memberOf } from "./record-member.js";

/**
 * Pick the location out of a record of a MaxMind DB, which may hold anything. What is missing or of
 * the wrong type is left out.
 */
export function locationOf(record: unknown): IpGeo {
  const latitude = memberOf(memberOf(record, "location"), "latitude");
  const longitude = memberOf(memberOf(record, "location"), "longitude");
  const country = memberOf(memberOf(record, "country"), "iso_code");
  const city = memberOf(memberOf(memberOf(record, "city"), "names"), "en");
  const code = codeOf(country);
  return {
    ...(isDegree(latitude, 90) && isDegree(longitude, 180) && { latitude, longitude }),
    ...(code !== undefined && { country_code: code }),
    ...(typeof city === "string" && city !== "" && { city }),
  };
}

/** Kosovo has no code by ISO, and this one by custom. */
function codeOf(country: unknown): string | undefined {
  if (typeof country !== "string") return undefined;
  if (country === "XK") return "XKX";
  return Object.hasOwn(COUNTRY_CODES, country) ? COUNTRY_CODES[country] : undefined;
}

function isDegree(value: unknown, limit: number): value is number {
  return typeof value === "number" && Math.abs(value) <= limit;
}
