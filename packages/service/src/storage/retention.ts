import type { PruneLimits } from "./storage.js";
import { type Database, overwriteLog } from "./database.js";
import { epochMsOf, type Instant } from "../model/instant.js";
import { pruneRateLimits } from "./rate-limiter.js";
import { deleteDeliveries } from "./delete-deliveries.js";

/** Rows deleted at a time, so that nothing waits long. */
const STEP = 500;

/** Deletes expired windows and rows older than the limits, and returns their number. */
export async function pruneTables(
  database: Database,
  { ledgerBefore, eventsBefore, incidentsBefore, deliveriesBefore, decisionsBefore }: PruneLimits,
  now: Instant,
): Promise<number> {
  let pruned = await prune(database, "windows", "expires_at", now);
  if (ledgerBefore !== undefined)
    pruned += await prune(database, "ledger", "occurred_at", ledgerBefore);
  if (eventsBefore !== undefined)
    pruned += await prune(database, "events", "received_at", eventsBefore);
  if (decisionsBefore !== undefined)
    pruned += await prune(database, "decisions", "received_at", decisionsBefore);
  if (incidentsBefore !== undefined) {
    pruned += await prune(database, "incidents", "ended_at", incidentsBefore);
    pruned += await prune(database, "responses", "ends_at", incidentsBefore);
  }
  if (deliveriesBefore !== undefined) pruned += await pruneDeliveries(database, deliveriesBefore);
  await pruneRateLimits(database, epochMsOf(now));
  if (pruned > 0) await overwriteLog(database);
  return pruned;
}

type Dated =
  | ["ledger", "occurred_at"]
  | ["events", "received_at"]
  | ["decisions", "received_at"]
  | ["incidents", "ended_at"]
  | ["responses", "ends_at"]
  | ["windows", "expires_at"];

async function prune(
  database: Database,
  ...[table, column, before]: [...Dated, number]
): Promise<number> {
  for (let pruned = 0; ;) {
    const { numDeletedRows } = await database
      .deleteFrom(table)
      .where("seq", "in", (query) =>
        query
          .selectFrom(table)
          .select("seq")
          .where(column as never, "<", before as never)
          .limit(STEP),
      )
      .executeTakeFirst();
    pruned += Number(numDeletedRows);
    if (numDeletedRows < STEP) return pruned;
  }
}

async function pruneDeliveries(database: Database, before: number): Promise<number> {
  for (let pruned = 0; ;) {
    const rows = await database
      .selectFrom("deliveries")
      .select("seq")
      .where("state", "!=", "pending")
      .where("created_at", "<", before)
      .limit(STEP)
      .execute();
    if (rows.length > 0)
      await deleteDeliveries(
        database,
        rows.map(({ seq }) => seq),
      );
    pruned += rows.length;
    if (rows.length < STEP) return pruned;
  }
}
