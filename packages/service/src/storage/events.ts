import { type Selectable, sql } from "kysely";
import type { RecordedEvent } from "../model/event.js";
import { instantOf } from "../model/instant.js";
import type { JsonObject } from "../model/json-object.js";
import { unpackEvent } from "../model/packed-event.js";
import { keyOf } from "../model/subject-key.js";
import { type Database, storedText } from "./database.js";
import type { EventFilter, Events } from "./event-store.js";
import { inTexts } from "./lists.js";
import { entryOf } from "./log.js";
import type { Bit, Schema } from "./schema.js";

/** How far the time of an event may be ahead of the clock of the service. */
const MAX_AHEAD = instantOf(600_000);

/** Creates the view of the security events in the log. */
export function createEvents(database: Database): Events {
  return {
    async find(id) {
      const rows = await database
        .selectFrom("event_ids")
        .innerJoin("log", (join) =>
          join
            .onRef("log.application_id", "=", "event_ids.application_id")
            .onRef("log.seq", "=", "event_ids.log_seq"),
        )
        .selectAll("log")
        .select(isErased)
        // The index begins with the application, so this condition makes it usable.
        .where("event_ids.application_id", "in", (query) =>
          query.selectFrom("applications").select("id"),
        )
        .where("event_ids.event_id", "=", id)
        .where("log.type", "=", "security_event")
        .orderBy("log.seq", "desc")
        .execute();
      return rows.map(eventOf);
    },
    list: (filter = {}) => listEvents(database, filter),
    async countBySteps({ applicationId, kinds, since, until }, origin, stepMicros) {
      // Whole numbers on both databases; on PostgreSQL, the parameters would have no type.
      const step = sql<number>`(occurred_at - cast(${origin} as bigint)) / cast(${stepMicros} as bigint)`;
      return database
        .selectFrom("log")
        .where("type", "=", "security_event")
        .select([step.as("step"), ({ fn }) => fn.countAll<number>().as("count")])
        .$if(applicationId !== undefined, (query) =>
          query.where("application_id", "=", applicationId!),
        )
        .$if(kinds !== undefined, (query) =>
          query.where("kind", "in", inTexts(database, kinds!.map(storedText))),
        )
        .$if(since !== undefined, (query) => query.where("occurred_at", ">=", since!))
        .$if(until !== undefined, (query) => query.where("occurred_at", "<=", until!))
        .groupBy("step")
        .execute();
    },
  };
}

async function listEvents(
  database: Database,
  filter: EventFilter,
): Promise<readonly RecordedEvent[]> {
  const { applicationId, kind, kinds, subject, since, until, limit = 100, beforeSeq } = filter;
  const rows = await database
    .selectFrom("log")
    .selectAll()
    .select(isErased)
    .where("type", "=", "security_event")
    .$if(applicationId !== undefined, (query) => query.where("application_id", "=", applicationId!))
    .$if(kind !== undefined, (query) => query.where("kind", "=", kind!))
    .$if(kinds !== undefined, (query) =>
      query.where("kind", "in", inTexts(database, kinds!.map(storedText))),
    )
    .$if(subject !== undefined, (query) =>
      query.where("seq", "in", (where) =>
        where
          .selectFrom("ledger")
          .select("log_seq")
          .where("subject_type", "=", subject!.type)
          .where("subject_key", "=", keyOf(subject!))
          .where("subject", "in", [subject!.subject === keyOf(subject!) ? "" : subject!.subject]),
      ),
    )
    // An event is received after it occurred, and there is an index of that.
    .$if(since !== undefined, (query) =>
      query.where("occurred_at", ">=", since!).where("received_at", ">=", since! - MAX_AHEAD),
    )
    .$if(until !== undefined, (query) => query.where("occurred_at", "<=", until!))
    .$if(beforeSeq !== undefined, (query) => query.where("seq", "<", beforeSeq!))
    .orderBy("seq", "desc")
    .limit(limit)
    .execute();
  return rows.map(eventOf);
}

/** True for an event that only remains until it is delivered. */
const isErased = sql<boolean | Bit>`log.seq in (
  select target from pending_erasures where kind = 'entry'
)`.as("isErased");

type EventRow = Selectable<Schema["log"]> & { readonly isErased: boolean | Bit };

function eventOf(row: EventRow): RecordedEvent {
  const { type: _type, cause: _cause, eventId, payload, ...entry } = entryOf(row);
  const stored = row.isErased ? {} : (JSON.parse(payload) as JsonObject);
  return { ...entry, id: eventId!, payload: unpackEvent(stored, { ...entry, eventId }) };
}
