import { atomically } from "../atomically.js";
import type { Database } from "../database.js";
import { inChunks } from "../in-chunks.js";
import type { Clock } from "../instant.js";
import type { Outbox } from "../outbox.js";

/** The outbox in the database. */
export function createOutboxTable(database: Database, clock: Clock): Outbox {
  return {
    add: (applicationId, payloads) =>
      atomically(database, async (within) => {
        const now = clock();
        const rows = payloads.map(({ type, payload }) => ({
          application_id: applicationId,
          payload_type: type,
          payload_json: JSON.stringify(payload),
          queued_at: now,
        }));
        for (const chunk of inChunks(rows)) {
          await within.insertInto("outbox").values(chunk).execute();
        }
      }),
    async take(applicationId, limit) {
      const rows = await database
        .selectFrom("outbox")
        .selectAll()
        .where("application_id", "=", applicationId)
        .orderBy("seq")
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        seq: row.seq,
        type: row.payload_type,
        payload: row.payload_json,
        queuedAt: row.queued_at,
      }));
    },
    remove: (seqs) => atomically(database, (within) => removeFromOutbox(within, seqs)),
    async backlog() {
      const rows = await database
        .selectFrom("outbox")
        .select(({ fn }) => [
          "application_id",
          fn.countAll<number>().as("count"),
          fn.min("queued_at").as("oldest"),
        ])
        .groupBy("application_id")
        .execute();
      return rows.map((row) => ({
        applicationId: row.application_id,
        count: row.count,
        oldestQueuedAt: row.oldest,
      }));
    },
  };
}

/** Take entries out of the outbox. */
export async function removeFromOutbox(database: Database, seqs: readonly number[]): Promise<void> {
  for (const chunk of inChunks(seqs)) {
    await database.deleteFrom("outbox").where("seq", "in", chunk).execute();
  }
}
