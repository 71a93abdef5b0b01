import type { Selectable } from "kysely";
import { atomically } from "../atomically.js";
import { type Database, storedText } from "../database.js";
import type { Events, RecordedEvent } from "../events.js";
import { inChunks } from "../in-chunks.js";
import type { Clock } from "../instant.js";
import type { JsonObject } from "../json-object.js";
import type { Schema } from "../schema.js";

/** Security events in the database. */
export function createEventsTable(database: Database, clock: Clock): Events {
  return {
    insertNew: (applicationId, events) =>
      atomically(database, async (within) => {
        const now = clock();
        const rows = events.map((event) => ({
          application_id: applicationId,
          id: event.id,
          kind: event.kind,
          category: event.category,
          occurred_at: event.occurredAt,
          high_risk: event.highRisk ? (1 as const) : (0 as const),
          payload_json: JSON.stringify(event.payload),
          received_at: now,
        }));
        const idOf = new Map(events.map(({ id }) => [storedText(id), id]));
        const added: string[] = [];
        for (const chunk of inChunks(rows)) {
          const inserted = await within
            .insertInto("events")
            .values(chunk)
            .onConflict((conflict) => conflict.columns(["application_id", "id"]).doNothing())
            .returning("id")
            .execute();
          added.push(...inserted.map(({ id }) => idOf.get(id)!));
        }
        return added;
      }),
    async list({ applicationId, kind, since, limit = 100 } = {}) {
      const rows = await database
        .selectFrom("events")
        .selectAll()
        .$if(applicationId !== undefined, (query) =>
          query.where("application_id", "=", applicationId!),
        )
        .$if(kind !== undefined, (query) => query.where("kind", "=", kind!))
        .$if(since !== undefined, (query) => query.where("occurred_at", ">=", since!))
        .orderBy("seq", "desc")
        .limit(limit)
        .execute();
      return rows.map(eventOf);
    },
  };
}

function eventOf(row: Selectable<Schema["events"]>): RecordedEvent {
  return {
    applicationId: row.application_id,
    id: row.id,
    kind: row.kind,
    category: row.category,
    occurredAt: row.occurred_at,
    highRisk: row.high_risk === 1,
    payload: JSON.parse(row.payload_json) as JsonObject,
    receivedAt: row.received_at,
  };
}
