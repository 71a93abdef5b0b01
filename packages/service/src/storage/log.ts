import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Clock } from "../model/instant.js";
import { ALL_PARTITIONS, type Consumer, type LogEntry, partitionOf } from "../model/log-entry.js";
import { appendRows } from "./append.js";
import type { Database } from "./database.js";
import { dialectOf } from "./dialect.js";
import type { CursorStep, DetectionLag, Log } from "./log-store.js";
import { inNumbers } from "./lists.js";
import type { Schema } from "./schema.js";

const WITHOUT_PAYLOAD = [
  "seq",
  "application_id",
  "type",
  "event_id",
  "kind",
  "category",
  "occurred_at",
  "received_at",
  "high_risk",
  "cause",
] as const;

export function createLog(database: Database, clock: Clock): Log {
  return {
    append: (orders) => appendRows(database, orders, { now: clock(), holdsHeads: true }),
    async derive(applicationId, entries) {
      const how = { now: clock(), holdsHeads: false };
      const [seqs] = await appendRows(database, [{ applicationId, entries }], how);
      return seqs ?? [];
    },
    ...createBarriers(database),
    async read(applicationId, afterSeq, limit, known = []) {
      const rows = await database
        .selectFrom("log")
        .select(WITHOUT_PAYLOAD)
        .select(
          sql<string>`
            case when payload_json <> '{}' and seq in ${inNumbers(database, known)} then ''
            else payload_json end
          `.as("payload_json"),
        )
        .where("application_id", "=", applicationId)
        .where("seq", ">", afterSeq)
        .where("cause", "is", null)
        .where("seq", "not in", (query) =>
          query.selectFrom("pending_erasures").select("target").where("kind", "=", "entry"),
        )
        .orderBy("seq")
        .limit(limit)
        .execute();
      return rows.map(entryOf);
    },
    async derivedFrom(applicationId, seqs) {
      const rows = await database
        .selectFrom("log")
        .selectAll()
        .where("application_id", "=", applicationId)
        .where("seq", ">", Math.min(...seqs))
        .where("cause", "in", inNumbers(database, seqs))
        .orderBy("seq")
        .execute();
      return rows.map(entryOf);
    },
    lag: (partitions = ALL_PARTITIONS) => readLag(database, partitions),
    move: (applicationId, consumer, step) => moveCursor(database, applicationId, consumer, step),
    ...createPositions(database),
    async skip(applicationId, consumer) {
      const end = database
        .selectFrom("log")
        .select(({ fn }) => fn.coalesce(fn.max("seq"), sql.lit(0)).as("seq"))
        .where("application_id", "=", applicationId);
      await database
        .updateTable("cursors")
        .set({ position: end })
        .where("application_id", "=", applicationId)
        .where("consumer", "=", consumer)
        .execute();
    },
    async dropRead(applicationId, fromSeq, toSeq) {
      await database
        .deleteFrom("log")
        .where("application_id", "=", applicationId)
        .where("seq", ">", fromSeq)
        .where("seq", "<=", toSeq)
        .where("type", "in", ["login", "counters"])
        .execute();
    },
  };
}

function createPositions(database: Database): Pick<Log, "position" | "detected"> {
  return {
    async position(applicationId, consumer) {
      const row = await database
        .selectFrom("cursors")
        .select("position")
        .where("application_id", "=", applicationId)
        .where("consumer", "=", consumer)
        .executeTakeFirst();
      return row?.position ?? 0;
    },
    async detected(applicationId) {
      const row = await database
        .selectFrom("cursors")
        .select(["position", "version"])
        .where("application_id", "=", applicationId)
        .where("consumer", "=", "detection")
        .executeTakeFirst();
      return row ?? { position: 0, version: 0 };
    },
  };
}

/** On SQLite, nothing is under way beside the transaction that waits. */
function createBarriers(database: Database): Pick<Log, "awaitDetection" | "awaitAppends"> {
  const isShared = dialectOf(database).isShared;
  return {
    async awaitDetection(applicationId) {
      if (!isShared) return;
      await database
        .selectFrom("cursors")
        .select("position")
        .where("application_id", "=", applicationId)
        .where("consumer", "=", "detection")
        .forShare()
        .execute();
    },
    async awaitAppends(applicationId) {
      if (!isShared) return;
      await database
        .selectFrom("heads")
        .select("partition")
        .where("application_id", "=", applicationId)
        .forShare()
        .execute();
    },
  };
}

/**
 * Follows the key of the log from each position: what was read before costs nothing, however much of it
 * is stored.
 */
async function readLag(
  database: Database,
  partitions: readonly number[],
): Promise<readonly DetectionLag[]> {
  const oldest = (column: "seq" | "received_at"): RawBuilder<number> => sql`(
    select ${sql.ref(column)} from log
    where log.application_id = heads.application_id and log.seq > cursors.position
      and log.cause is null and log.seq not in (
        select target from pending_erasures where pending_erasures.kind = 'entry'
      )
    order by log.seq limit 1
  )`;
  const { rows } = await sql<DetectionLag>`
    /* prepared: lag */
    select * from (
      select
        heads.application_id as "applicationId",
        ${oldest("received_at")} as "oldestAt",
        ${oldest("seq")} as "oldestSeq",
        (select max(seq) from log where log.application_id = heads.application_id) as "lastSeq"
      from heads join cursors on cursors.application_id = heads.application_id
        and cursors.consumer = 'detection'
      where heads.partition in ${inNumbers(database, partitions)}
    ) as lag where "oldestAt" is not null
  `.execute(database);
  return rows;
}

async function moveCursor(
  database: Database,
  applicationId: string,
  consumer: Consumer,
  { from, to, version, revision }: CursorStep,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable("cursors")
    .set({ position: to, version: version + 1 })
    .where("application_id", "=", applicationId)
    .where("consumer", "=", consumer)
    .where("position", "=", from)
    .where("version", "=", version)
    .where((where) =>
      where.exists(
        where
          .selectFrom("revisions")
          .select("version")
          .where("name", "=", "detection")
          .where("version", "=", revision)
          // A change waits for the transaction, and whoever comes after it notices it.
          .$if(dialectOf(database).isShared, (query) => query.forShare()),
      ),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Begins the log of a new application. */
export async function createHead(database: Database, applicationId: string): Promise<void> {
  await database
    .insertInto("heads")
    .values({ application_id: applicationId, partition: partitionOf(applicationId) })
    .execute();
  for (const consumer of ["detection", "delivery"] as const) {
    await database
      .insertInto("cursors")
      .values({ application_id: applicationId, consumer, position: 0, version: 0 })
      .execute();
  }
}

export function entryOf(row: Selectable<Schema["log"]>): LogEntry {
  return {
    seq: row.seq,
    applicationId: row.application_id,
    type: row.type,
    eventId: row.event_id,
    kind: row.kind,
    category: row.category,
    occurredAt: row.occurred_at,
    receivedAt: row.received_at,
    highRisk: row.high_risk === 1,
    cause: row.cause,
    payload: row.payload_json,
  };
}
