/** Returns the name of a value's type, for messages that must not contain the value. */
export function typeName(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  return Array.isArray(value) ? "array" : typeof value;
}
