/** An object as it came out of the JSON parser. */
export type RawObject = Readonly<Record<string, unknown>>;

/** Whether a parsed value is an object that can be a payload. */
export function isRawObject(value: unknown): value is RawObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
