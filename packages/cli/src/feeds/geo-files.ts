import type { EngineOptions } from "@riskgate/engine";

export interface GeoFiles {
  readonly geo?: string;
  readonly asn?: string;
}

export function geoOf({ geo, asn }: GeoFiles): Pick<EngineOptions, "geo"> {
  if (geo === undefined && asn === undefined) return {};
  return { geo: { ...(geo !== undefined && { path: geo }), ...(asn !== undefined && { asn }) } };
}
