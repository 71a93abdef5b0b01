import { formatTimestamp } from "@riskgate/core";

/** Names of members that hold an instant. */
const INSTANT = /(?:At|Since|After)$/;

/** A record as the administration API shows it: its instants as timestamps, without the hidden one. */
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
