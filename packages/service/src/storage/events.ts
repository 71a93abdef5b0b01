import type { EventFilter } from "./event-store.js";
import type { Events } from "./event-store.js";
import type { RecordedEvent } from "../model/event.js";
import type { Selectable } from "kysely";
import { atomically } from "./atomically.js";
import { type Database, storedText } from "./database.js";
import type { Clock } from "../model/instant.js";
import { inChunks, inTexts } from "./lists.js";
import type { Schema } from "./schema.js";
import type { JsonObject } from "../model/json-object.js";

export function createEvents(database: Database, clock: Clock): Events {
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
    async withIds(applicationId, ids) {
      const rows = await database
        .selectFrom("events")
        .selectAll()
        .where("application_id", "=", applicationId)
        .where("id", "in", inTexts(database, ids.map(storedText)))
        .orderBy("seq")
        .execute();
      return rows.map(eventOf);
    },
    async find(id) {
      const rows = await database
        .selectFrom("events")
        .selectAll()
        // The index begins with the application, so this condition makes it usable.
        .where("application_id", "in", (query) => query.selectFrom("applications").select("id"))
        .where("id", "=", id)
        .orderBy("seq", "desc")
        .execute();
      return rows.map(eventOf);
    },
    list: (filter = {}) => listEvents(database, filter),
  };
}

async function listEvents(
  database: Database,
  filter: EventFilter,
): Promise<readonly RecordedEvent[]> {
  const { applicationId, kind, kinds, subject, since, until, limit = 100, beforeSeq } = filter;
  const rows = await database
    .selectFrom("events")
    .selectAll()
    .$if(applicationId !== undefined, (query) => query.where("application_id", "=", applicationId!))
    .$if(kind !== undefined, (query) => query.where("kind", "=", kind!))
    .$if(kinds !== undefined, (query) =>
      query.where("kind", "in", inTexts(database, kinds!.map(storedText))),
    )
    .$if(subject !== undefined, (query) =>
      query.where((where) =>
        where.eb(
          where.refTuple("events.application_id", "events.id"),
          "in",
          where
            .selectFrom("ledger")
            .select(["ledger.application_id", "ledger.event_id"])
            .where("subject_type", "=", subject!.type)
            .where("subject", "=", subject!.subject)
            .$asTuple("application_id", "event_id"),
        ),
      ),
    )
    .$if(since !== undefined, (query) => query.where("occurred_at", ">=", since!))
    .$if(until !== undefined, (query) => query.where("occurred_at", "<=", until!))
    .$if(beforeSeq !== undefined, (query) => query.where("seq", "<", beforeSeq!))
    .orderBy("seq", "desc")
    .limit(limit)
    .execute();
  return rows.map(eventOf);
}

function eventOf(row: Selectable<Schema["events"]>): RecordedEvent {
  return {
    seq: row.seq,
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
