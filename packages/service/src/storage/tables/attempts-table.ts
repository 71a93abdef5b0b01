import { atomically } from "../atomically.js";
import type { Database } from "../database.js";
import type { Deliveries } from "../deliveries.js";

type Attempts = Pick<Deliveries, "recordAttempt" | "attemptsOf">;

/** The log of attempts, and what each of them changes. */
export function createAttemptsTable(database: Database): Attempts {
  return {
    recordAttempt: (id, attempt, result) =>
      atomically(database, async (within) => {
        const delivery = await within
          .selectFrom("deliveries")
          .select("application_id")
          .where("id", "=", id)
          .executeTakeFirst();
        // Erased meanwhile.
        if (!delivery) return;
        const newest = await within
          .selectFrom("attempts")
          .select(({ fn }) => fn.max("number").as("number"))
          .where("delivery_id", "=", id)
          .executeTakeFirst();
        await within
          .insertInto("attempts")
          .values({
            delivery_id: id,
            number: (newest?.number ?? 0) + 1,
            started_at: attempt.startedAt,
            duration_ms: Math.round(attempt.durationMs),
            status: attempt.status,
            error: attempt.error,
            location: attempt.location,
            excerpt: attempt.excerpt,
          })
          .execute();

        const delivered = result.state === "delivered";
        await within
          .updateTable("deliveries")
          .set(({ eb }) => ({
            state: result.state,
            attempts: eb("attempts", "+", 1),
            next_attempt_at: result.state === "pending" ? result.nextAttemptAt : null,
            leased_until: null,
            last_status: attempt.status,
            last_error: attempt.error,
          }))
          .where("id", "=", id)
          .$if(!delivered, (query) => query.where("state", "=", "pending"))
          .execute();
        await within
          .updateTable("applications")
          .set({ failing_since: delivered ? null : attempt.startedAt })
          .where("id", "=", delivery.application_id)
          .where("failing_since", delivered ? "is not" : "is", null)
          .execute();
      }),
    async attemptsOf(id) {
      const rows = await database
        .selectFrom("attempts")
        .selectAll()
        .where("delivery_id", "=", id)
        .orderBy("number")
        .execute();
      return rows.map((row) => ({
        number: row.number,
        startedAt: row.started_at,
        durationMs: row.duration_ms,
        status: row.status,
        error: row.error,
        location: row.location,
        excerpt: row.excerpt,
      }));
    },
  };
}
