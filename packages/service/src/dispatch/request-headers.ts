/** Returns the headers of a delivery in order, as alternating names and values. */
export function requestHeaders(
  host: string,
  body: Uint8Array,
  signature: string,
): readonly (readonly [name: string, value: string])[] {
  return [
    ["Host", host],
    ["Content-Type", "application/json"],
    ["Content-Length", String(body.byteLength)],
    ["X-Service-Integrity", signature],
    ["User-Agent", "riskgate"],
  ];
}
