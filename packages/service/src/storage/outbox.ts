import { type Selectable, sql } from "kysely";
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
import type { Schema } from "./schema.js";

/** Types of entries that are delivered; the others only serve detection. */
const DELIVERED = ["security_event", "pulse", "security_response", "test"] as const;

/** Payloads counted for one application: a delivery holds no more. */
const MAX_COUNTED = 1_000;

/** Payloads that are read without first asking for their sizes. */
const MAX_UNMEASURED = 50;

/**
 * Bytes read at once, so that a transaction never reaches its time limits, however large the payloads.
 * Four deliveries of the largest size, one for each type, need less.
 */
const MAX_TAKEN_BYTES = 24 * 1_048_576;

/** Creates the part of the logs that has not been put into deliveries. */
export function createOutbox(database: Database, log: Log): Outbox {
  return {
    async add(applicationId, payloads) {
      await log.append([{ applicationId, entries: payloads.map(derivedEntry) }]);
    },
    async take(applicationId, limit) {
      const after = (seq: number) =>
        database
          .selectFrom("log")
          .where("application_id", "=", applicationId)
          .where("seq", ">", seq)
          .where("type", "in", DELIVERED)
          .orderBy("seq");
      const position = await log.position(applicationId, "delivery");
      const few = Math.min(limit, MAX_UNMEASURED);
      const rows = await after(position).selectAll().limit(few).execute();
      const last = rows.at(-1)?.seq ?? 0;
      const others = limit - rows.length;
      if (rows.length < MAX_UNMEASURED || others === 0) {
        return { entries: rows.map(read), hasMore: rows.length === limit };
      }
      const sizes = await after(last)
        .select(["seq", sql<number>`octet_length(payload_json)`.as("bytes")])
        .limit(others)
        .execute();
      let bytes = rows.reduce((sum, { payload_json }) => sum + payload_json.length, 0);
      const fitting = sizes.filter((one) => (bytes += one.bytes) <= MAX_TAKEN_BYTES);
      const end = fitting.at(-1)?.seq ?? last;
      rows.push(...(await after(last).selectAll().where("seq", "<=", end).execute()));
      const hasMore = sizes.length === others || fitting.length < sizes.length;
      return { entries: rows.map(read), hasMore };
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
      return rows.map(read);
    },
  };
}

/** Reads an entry as it is delivered. The same entry always has the same text. */
function read(row: Selectable<Schema["log"]>): OutboxEntry {
  const entry = entryOf(row);
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
