import { formatTimestamp } from "@riskgate/core/payloads";

/** Names of members that hold an instant. */
const INSTANT = /(?:At|Since|After)$/;

/**
 * Returns a record as the administration API shows it: instants as timestamps, without `hidden`.
 */
export function adminView(record: object, hidden?: string): Record<string, unknown> {
  const members = Object.entries(record) as [string, unknown][];
  return Object.fromEntries(
    members
      .filter(([name]) => name !== hidden)
      .map(([name, value]) => [
        name,
        typeof value === "number" && INSTANT.test(name) ? formatTimestamp(value) : value,
      ]),
  );
}
