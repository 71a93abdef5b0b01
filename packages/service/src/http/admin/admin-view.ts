import { formatTimestamp } from "@riskgate/core/payloads";

/** Names of members that contain an instant. */
const INSTANT = /(?:At|Since|After)$/;

type InstantName = `${string}${"At" | "Since" | "After"}`;

type Formatted<Value> = Value extends number ? string : Value;

/** A record as returned by the administration API. */
export type AdminView<T, Hidden extends PropertyKey = never> = {
  readonly [Name in Exclude<keyof T, Hidden>]: Name extends InstantName
    ? Formatted<T[Name]>
    : T[Name];
};

/** Returns a record with its instants as timestamps and without the `hidden` members. */
export function adminView<T extends object, Hidden extends keyof T = never>(
  record: T,
  hidden?: Hidden,
): AdminView<T, Hidden> {
  const members = Object.entries(record) as [string, unknown][];
  return Object.fromEntries(
    members
      .filter(([name]) => name !== hidden)
      .map(([name, value]) => [
        name,
        typeof value === "number" && INSTANT.test(name) ? formatTimestamp(value) : value,
      ]),
  ) as AdminView<T, Hidden>;
}
