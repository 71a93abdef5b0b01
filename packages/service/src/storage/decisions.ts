import type { Decisions } from "./event-store.js";
import type { RecordedDecision } from "../model/decision.js";
import type { Selectable } from "kysely";
import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import type { Clock } from "../model/instant.js";
import type { Label } from "../model/label.js";
import { inChunks } from "./lists.js";
import type { Schema } from "./schema.js";
import type { JsonObject } from "../model/json-object.js";

export function createDecisions(database: Database, clock: Clock): Decisions {
  return {
    insertNew: (applicationId, decisions) =>
      atomically(database, async (within) => {
        const now = clock();
        const rows = decisions.map(({ id, decidedAt, record }) => ({
          application_id: applicationId,
          id,
          decided_at: decidedAt,
          record_json: JSON.stringify(record),
          received_at: now,
        }));
        const added = new Set<string>();
        for (const chunk of inChunks(rows)) {
          const inserted = await within
            .insertInto("decisions")
            .values(chunk)
            .onConflict((conflict) => conflict.columns(["application_id", "id"]).doNothing())
            .returning("id")
            .execute();
          for (const { id } of inserted) added.add(id);
        }
        return added;
      }),
    async list({ applicationId, beforeSeq, limit, digest, id }) {
      const rows = await database
        .selectFrom("decisions")
        .leftJoin("labels", (join) =>
          join
            .onRef("labels.application_id", "=", "decisions.application_id")
            .on("labels.about", "=", "decision")
            .onRef("labels.target", "=", "decisions.id"),
        )
        .selectAll("decisions")
        .select("labels.label")
        .$if(applicationId !== undefined, (query) =>
          query.where("decisions.application_id", "=", applicationId!),
        )
        .$if(beforeSeq !== undefined, (query) => query.where("seq", "<", beforeSeq!))
        .$if(digest !== undefined, (query) =>
          query.where("record_json", "like", `%"digest":"${digest!}"%`),
        )
        .$if(id !== undefined, (query) => query.where("id", "=", id!))
        .orderBy("seq", "desc")
        .limit(limit)
        .execute();
      return rows.map(decisionOf);
    },
  };
}

function decisionOf(
  row: Selectable<Schema["decisions"]> & { readonly label: Label | null },
): RecordedDecision {
  return {
    label: row.label,
    id: row.id,
    seq: row.seq,
    applicationId: row.application_id,
    decidedAt: row.decided_at,
    receivedAt: row.received_at,
    record: { id: row.id, ...(JSON.parse(row.record_json) as JsonObject) },
  };
}
