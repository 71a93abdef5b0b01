/** An object as returned by the JSON parser. */
export type RawObject = Readonly<Record<string, unknown>>;

/** Returns true if a parsed value is an object, and so can be a payload. */
export function isRawObject(value: unknown): value is RawObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
