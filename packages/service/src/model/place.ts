import { coordinatesOf, type EventGeo } from "@riskgate/core/payloads";

/** Location of an address, as far as known. */
export interface Located {
  /** Empty if unknown. */
  readonly geo: EventGeo;
  readonly isTor: boolean;
  /** True if visitors behind the address are elsewhere: VPN, proxy, Tor, relay or hosting. */
  readonly isDetour?: boolean;
  /** Radius around the coordinates within which the address is, in kilometres. */
  readonly accuracyKm?: number;
}

const EARTH_RADIUS_KM = 6371;

/**
 * Returns true if two locations are certainly apart: farther than `km` if both have coordinates, and
 * otherwise in different countries. Unknown locations never count as apart.
 */
export function isApart(a: EventGeo, b: EventGeo, km: number): boolean {
  const from = coordinatesOf(a);
  const to = coordinatesOf(b);
  if (from && to) return distanceKm(from, to) > km;
  return a.code !== undefined && b.code !== undefined && a.code !== b.code;
}

/** Returns a readable location, such as "Paris, FRA"; undefined if nothing is known. */
export function placeName({ city, code }: EventGeo): string | undefined {
  const parts = [city, code].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(", ");
}

interface Coordinates {
  readonly longitude: number;
  readonly latitude: number;
}

export function distanceKm(from: Coordinates, to: Coordinates): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const north = Math.sin(radians(to.latitude - from.latitude) / 2) ** 2;
  const east = Math.sin(radians(to.longitude - from.longitude) / 2) ** 2;
  const cosines = Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude));
  // Rounding can push the sum slightly above 1, for which the arc sine is NaN.
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(north + cosines * east)));
}
