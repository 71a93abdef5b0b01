/** Name of a value's type for a message that must not hold the value. */
export function typeName(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  return Array.isArray(value) ? "array" : typeof value;
}
