import { sql } from "kysely";
import type { Labels } from "./event-store.js";
import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import type { Clock } from "../model/instant.js";
import { inChunks } from "./lists.js";

export function createLabels(database: Database, clock: Clock): Labels {
  return {
    put: (applicationId, labels) =>
      atomically(database, async (within) => {
        const now = clock();
        const rows = labels.map(({ about, target, digest, label, labelledAt }) => ({
          application_id: applicationId,
          about,
          target,
          digest,
          label,
          labelled_at: labelledAt,
          received_at: now,
        }));
        const changed = new Set<string>();
        for (const chunk of inChunks(rows)) {
          const stored = await within
            .insertInto("labels")
            .values(chunk)
            .onConflict((conflict) =>
              conflict
                .columns(["application_id", "about", "target"])
                .doUpdateSet({
                  label: sql`excluded.label`,
                  digest: sql`coalesce(excluded.digest, labels.digest)`,
                  labelled_at: sql`excluded.labelled_at`,
                  received_at: sql`excluded.received_at`,
                })
                // A label that is sent again must not replace a later one.
                .where(
                  sql<boolean>`excluded.labelled_at > labels.labelled_at or (
                    excluded.labelled_at = labels.labelled_at and excluded.label <> labels.label
                  )`,
                ),
            )
            .returning(["about", "target"])
            .execute();
          for (const { about, target } of stored) changed.add(`${about} ${target}`);
        }
        return changed;
      }),
    async list({ applicationId, about, target, limit }) {
      const rows = await database
        .selectFrom("labels")
        .selectAll()
        .where("about", "=", about)
        .$if(applicationId !== undefined, (query) =>
          query.where("application_id", "=", applicationId!),
        )
        // The key begins with the application, so this condition makes it usable.
        .$if(applicationId === undefined, (query) =>
          query.where("application_id", "in", (inner) =>
            inner.selectFrom("applications").select("id"),
          ),
        )
        .$if(target !== undefined, (query) => query.where("target", "=", target!))
        .orderBy("received_at", "desc")
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        applicationId: row.application_id,
        about: row.about,
        target: row.target,
        digest: row.digest,
        label: row.label,
        labelledAt: row.labelled_at,
      }));
    },
  };
}
