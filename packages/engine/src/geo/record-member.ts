/** An own member of a record of a MaxMind DB, which may hold anything; undefined where it has none. */
export function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}
