import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import type { Instant } from "../model/instant.js";

/**
 * Follows a clock that was set. What waits is due as long after now as it was before; where the clock
 * was set forward, it is due at once at the latest.
 *
 * @param setBy By how much; negative for set back.
 * @param now What the clock says since.
 */
export function followClock(database: Database, setBy: Instant, now: Instant): Promise<void> {
  return atomically(database, async (within) => {
    if (setBy < 0) {
      // Only what lies ahead: the rest was stored since, or is due already.
      await within
        .updateTable("deliveries")
        .set((row) => ({ next_attempt_at: row("next_attempt_at", "+", setBy) }))
        .where("state", "=", "pending")
        .where("next_attempt_at", ">", now)
        .execute();
      await within
        .updateTable("outbox")
        .set((row) => ({ queued_at: row("queued_at", "+", setBy) }))
        .where("queued_at", ">", now)
        .execute();
    }
    // Nor does a clock make an endpoint fail for days.
    await within
      .updateTable("applications")
      .set((row) => ({ failing_since: row("failing_since", "+", setBy) }))
      .where("failing_since", setBy < 0 ? ">" : "<=", setBy < 0 ? now : now - setBy)
      .execute();
  });
}

/** Where the time of a storing is, in tables that are only added to. */
const STAMPED = [
  ["events", "received_at"],
  ["decisions", "received_at"],
  ["outbox", "queued_at"],
  ["deliveries", "created_at"],
  ["attempts", "started_at"],
] as const;

/**
 * The last moment on record. One that lies ahead shows that the clock was set back while nothing was
 * running, and by how much at least.
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
