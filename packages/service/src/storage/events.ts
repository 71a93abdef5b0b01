import type { Selectable } from "kysely";
import { atomically } from "./atomically.js";
import { type Database, storedText } from "./database.js";
import type { Clock, Instant } from "./instant.js";
import { inChunks, inTexts } from "./lists.js";
import type { JsonObject, Schema } from "./schema.js";

/** A security event that an application reported. */
export interface StoredEvent {
  /** Unique within the application. */
  readonly id: string;
  readonly kind: string;
  readonly category: string;
  readonly occurredAt: Instant;
  readonly highRisk: boolean;
  /** Empty once it was erased. */
  readonly payload: JsonObject;
}

/** A security event in the record. */
export interface RecordedEvent extends StoredEvent {
  readonly applicationId: string;
  readonly receivedAt: Instant;
}

/** Which events to list; newest first. */
interface EventFilter {
  readonly applicationId?: string;
  readonly kind?: string;
  readonly since?: Instant;
  /** Default 100. */
  readonly limit?: number;
}

/** Security events as they were reported. */
export interface Events {
  /** Keep those whose id is not yet known; the ids of those that were new, in their order. */
  insertNew(applicationId: string, events: readonly StoredEvent[]): Promise<readonly string[]>;
  /** Those with one of these ids, in the order in which they were reported. */
  withIds(applicationId: string, ids: readonly string[]): Promise<readonly RecordedEvent[]>;
  list(filter?: EventFilter): Promise<readonly RecordedEvent[]>;
}

/** Creates the events in a database. */
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
