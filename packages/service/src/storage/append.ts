import type { AppendOrder } from "../model/log-entry.js";
import type { Database } from "./database.js";
import { type AppendedRow, type AppendHow, dialectOf } from "./dialect.js";

/**
 * Appends entries to the logs of several applications.
 *
 * @returns For each order the numbers of its entries; undefined for an unknown application.
 */
export async function appendRows(
  database: Database,
  orders: readonly AppendOrder[],
  how: AppendHow,
): Promise<readonly (readonly (number | undefined)[] | undefined)[]> {
  const rows = orders.flatMap(({ applicationId, entries }) =>
    entries.map((entry): AppendedRow => ({ ...entry, applicationId })),
  );
  const applications = [...new Set(orders.map(({ applicationId }) => applicationId))];
  const { seqs, known } = await dialectOf(database).append(database, rows, applications, how);
  let start = 0;
  return orders.map(({ applicationId, entries }) => {
    const own = seqs.slice(start, (start += entries.length));
    return known.has(applicationId) ? own : undefined;
  });
}
