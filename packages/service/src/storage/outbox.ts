import { sql } from "kysely";
import { wireEvent } from "../model/wire-event.js";
import type { OutboxBacklog, OutboxEntry } from "../model/delivery.js";
import type { JsonObject } from "../model/json-object.js";
import { ALL_PARTITIONS, type LogEntry } from "../model/log-entry.js";
import { unpackEvent } from "../model/packed-event.js";
import { derivedEntry } from "../model/derived-entry.js";
import type { Database } from "./database.js";
import type { Outbox } from "./delivery-store.js";
import { entryOf } from "./log.js";
import type { Log } from "./log-store.js";
import { inNumbers } from "./lists.js";

/** Types of entries that are delivered; the others only serve detection. */
const DELIVERED = ["security_event", "pulse", "security_response", "test"] as const;

/** Payloads counted for one application: a delivery holds no more. */
const MAX_COUNTED = 1_000;

/** Creates the part of the logs that has not been put into deliveries. */
export function createOutbox(database: Database, log: Log): Outbox {
  return {
    async add(applicationId, payloads) {
      await log.append([{ applicationId, entries: payloads.map(derivedEntry) }]);
    },
    async take(applicationId, limit) {
      const rows = await database
        .selectFrom("log")
        .selectAll()
        .where("application_id", "=", applicationId)
        .where("seq", ">", await log.position(applicationId, "delivery"))
        .where("type", "in", DELIVERED)
        .orderBy("seq")
        .limit(limit)
        .execute();
      return rows.map((row) => outgoing(entryOf(row)));
    },
    async pass(applicationId, from, to) {
      const { numUpdatedRows } = await database
        .updateTable("cursors")
        .set({ position: to })
        .where("application_id", "=", applicationId)
        .where("consumer", "=", "delivery")
        .where("position", "=", from)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async backlog(partitions = ALL_PARTITIONS, maxCounted = MAX_COUNTED) {
      const waiting = sql`
        from log where log.application_id = heads.application_id
          and log.seq > cursors.position and log.type in (${sql.join(DELIVERED)})
      `;
      const { rows } = await sql<OutboxBacklog>`
        /* prepared: backlog */
        select * from (
          select
            heads.application_id as "applicationId",
            (select count(*) from (select 1 ${waiting} limit ${maxCounted}) as counted) as count,
            (select received_at ${waiting} order by seq limit 1) as "oldestQueuedAt"
          from heads
            join cursors on cursors.application_id = heads.application_id
              and cursors.consumer = 'delivery'
            join applications on applications.id = heads.application_id
          where heads.partition in ${inNumbers(database, partitions)}
            and applications.webhook_url is not null and applications.disabled_at is null
        ) as backlog where "oldestQueuedAt" is not null
      `.execute(database);
      return rows;
    },
    async bodyOf({ applicationId, firstSeq, lastSeq, without }) {
      if (firstSeq === null || lastSeq === null) return [];
      const rows = await database
        .selectFrom("log")
        .selectAll()
        .where("application_id", "=", applicationId)
        .where("seq", ">=", firstSeq)
        .where("seq", "<=", lastSeq)
        .where("type", "in", DELIVERED)
        .where("seq", "not in", inNumbers(database, without))
        .orderBy("seq")
        .execute();
      return rows.map((row) => outgoing(entryOf(row)));
    },
  };
}

/** Reads an entry as it is delivered. The same entry always has the same text. */
function outgoing(entry: LogEntry): OutboxEntry {
  const { seq, type, kind, payload, receivedAt } = entry;
  const text = textOf(entry);
  return {
    seq,
    type: type as OutboxEntry["type"],
    kind: kind === "" ? undefined : kind,
    payload: text ?? payload,
    isDamaged: text === undefined,
    queuedAt: receivedAt,
  };
}

/** Returns undefined if the text in the database is no longer JSON, or was erased. */
function textOf(entry: LogEntry): string | undefined {
  try {
    const value = JSON.parse(entry.payload) as JsonObject;
    if (Object.keys(value).length === 0) return undefined;
    if (entry.type !== "security_event") return entry.payload;
    return JSON.stringify(wireEvent(unpackEvent(value, entry)));
  } catch {
    return undefined;
  }
}
