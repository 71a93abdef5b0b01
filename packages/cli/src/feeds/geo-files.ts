import type { EngineOptions } from "@riskgate/engine";

/** Options that name geo databases. */
export interface GeoFiles {
  readonly geo?: string;
  readonly asn?: string;
}

/** The option of an engine for the geo databases that were named. */
export function geoOf({ geo, asn }: GeoFiles): Pick<EngineOptions, "geo"> {
  if (geo === undefined && asn === undefined) return {};
  return { geo: { ...(geo !== undefined && { path: geo }), ...(asn !== undefined && { asn }) } };
}
