import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import type { Instant } from "../model/instant.js";

/**
 * Adjusts stored times after the clock was set, so that pending work never waits longer than planned.
 * After a forward change it may be due sooner.
 *
 * @param setBy Change of the clock; negative if it was set back.
 * @param now Time by the new clock.
 */
export function followClock(database: Database, setBy: Instant, now: Instant): Promise<void> {
  return atomically(database, async (within) => {
    if (setBy < 0) {
      // Only future times: the others were stored after the change, or are already due.
      await within
        .updateTable("deliveries")
        .set((row) => ({ next_attempt_at: row("next_attempt_at", "+", setBy) }))
        .where("state", "=", "pending")
        .where("next_attempt_at", ">", now)
        .execute();
    }
    // Otherwise a clock change could look like an endpoint that has failed for days.
    await within
      .updateTable("applications")
      .set((row) => ({ failing_since: row("failing_since", "+", setBy) }))
      .where("failing_since", setBy < 0 ? ">" : "<=", setBy < 0 ? now : now - setBy)
      .execute();
  });
}

/** Columns with the time of insertion, in append-only tables. */
const STAMPED = [
  ["log", "received_at"],
  ["decisions", "received_at"],
  ["deliveries", "created_at"],
  ["attempts", "started_at"],
] as const;

/**
 * Returns the latest time on record. If it is in the future, the clock was set back by at least that
 * much while the service was stopped.
 */
export async function lastInstant(database: Database): Promise<Instant> {
  const last: Instant[] = [0];
  for (const [table, column] of STAMPED) {
    const row = await database
      .selectFrom(table)
      .select(column as never)
      .orderBy("seq", "desc")
      .limit(1)
      .executeTakeFirst();
    if (row) last.push(Number((row as Record<string, number>)[column]));
  }
  return Math.max(...last);
}
