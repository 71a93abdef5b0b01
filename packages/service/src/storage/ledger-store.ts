import { type RawBuilder, sql, type SqlBool } from "kysely";
import type { LedgerEntry, LedgerRecord, LedgerScope } from "../model/subject.js";
import { keyOf } from "../model/subject-key.js";
import { type Database, storedText } from "./database.js";
import { dialectOf } from "./dialect.js";
import type { HistoryRequest, LedgerStore } from "./event-store.js";
import { rowsOf } from "./lists.js";
import type { Bit } from "./schema.js";

/** In place of the risk of an entry that does not count in lookups. */
const NOTICE = 2;

/** @param reading Connection for `historiesOf`; default the same. */
export function createLedgerStore(database: Database, reading: Database = database): LedgerStore {
  return {
    async record(applicationId, entries) {
      if (entries.length === 0) return;
      const rows = entries.map(cellsOf);
      // One JSON value: building a statement with a value for each cell takes longer than running it.
      await sql`
        insert into ledger
          (subject_type, subject_key, subject, log_seq, occurred_at, high_risk, application_id)
        select
          value ->> 0, value ->> 1, value ->> 2, cast(value ->> 3 as bigint),
          cast(value ->> 4 as bigint), cast(value ->> 5 as bigint), ${applicationId}
        from ${rowsOf(database, rows)} where true
        on conflict do nothing
      `.execute(database);
    },
    async entriesOf(subject, limit, scope) {
      const { rows } = await sql<EntryRow>`
        select
          ledger.subject_type as type, ledger.subject_key as key, ledger.subject,
          ledger.application_id as "applicationId", ledger.log_seq as seq,
          ledger.occurred_at as "occurredAt", ledger.high_risk as "highRisk",
          ${IS_SHARED} as "isShared", log.event_id as "eventId", log.kind
        from ledger
          left join applications on applications.id = ledger.application_id
          left join log on log.application_id = ledger.application_id and log.seq = ledger.log_seq
        where subject_type = ${subject.type} and subject_key = ${keyOf(subject)}
          and ${scope ? isIn(scope) : sql`true`}
        order by ledger.log_seq desc
        limit ${limit}
      `.execute(database);
      return rows.map(entryOf);
    },
    historiesOf: (requests) => readHistories(reading, requests),
    async spellingsOf(subject) {
      const rows = await database
        .selectFrom("ledger")
        .select(["subject", "subject_key"])
        .distinct()
        .where("subject_type", "=", subject.type)
        .where("subject_key", "=", keyOf(subject))
        .execute();
      const found = new Set([subject.subject]);
      // An address is erased alone, although lookups count it with the others of its network.
      if (subject.type === "account") {
        for (const row of rows) found.add(row.subject === "" ? row.subject_key : row.subject);
      }
      return [...found].map((spelling) => ({ type: subject.type, subject: spelling }));
    },
  };
}

/** The subject as reported. */
export const SPELLING: RawBuilder<string> = sql<string>`case subject when '' then subject_key else subject end`;

/** Maximum number of entries of a subject in its history. */
const MAX_HISTORY = 1_000;

type HistoryRow = Pick<EntryRow, "type" | "key" | "subject" | "seq" | "occurredAt" | "highRisk">;

/** Reads the histories of several subjects; nearly all are empty. */
async function readHistories(
  database: Database,
  requests: readonly HistoryRequest[],
): Promise<readonly (readonly LedgerRecord[])[]> {
  const histories = requests.map((): LedgerRecord[] => []);
  const newest = (type: unknown, key: unknown, reader: unknown): RawBuilder<HistoryRow> => sql`
    select
      ledger.subject_type as type, ledger.subject_key as key, ledger.subject,
      ledger.log_seq as seq, ledger.occurred_at as "occurredAt", ledger.high_risk as "highRisk"
    from ledger left join applications on applications.id = ledger.application_id
    where subject_type = ${type} and subject_key = ${key}
      and (${reader} = '' or ledger.application_id = ${reader} or ${IS_SHARED} = 1)
    order by ledger.log_seq desc limit ${MAX_HISTORY}
  `;
  const columns = [
    requests.map(({ type }) => type),
    requests.map(({ key }) => key),
    requests.map(({ reader }) => reader),
  ];
  const rows = await dialectOf(database).queryEach(database, columns, newest);
  for (const { index, ...row } of rows) {
    const { type, subject, occurredAt, isNotice, highRisk } = entryOf(row as EntryRow);
    const notice = isNotice && { isNotice };
    histories[index]!.push({ type, subject, seq: row.seq, occurredAt, highRisk, ...notice });
  }
  for (const history of histories) history.reverse();
  return histories;
}

interface EntryRow {
  readonly type: LedgerEntry["type"];
  readonly key: string;
  readonly subject: string;
  readonly applicationId: string;
  readonly seq: number;
  readonly occurredAt: number;
  readonly highRisk: number;
  readonly isShared: Bit;
  readonly eventId: string | null;
  readonly kind: string | null;
}

function cellsOf(entry: LedgerRecord): unknown[] {
  const subject = storedText(entry.subject);
  const key = keyOf({ type: entry.type, subject });
  return [
    entry.type,
    key,
    subject === key ? "" : subject,
    entry.seq,
    entry.occurredAt,
    entry.isNotice ? NOTICE : Number(entry.highRisk),
  ];
}

/** Whether the application of an entry shares its reports, as `isSharing` reads it. */
const IS_SHARED = sql<Bit>`
  case when applications.shares_reports = 1 and applications.kind <> 'sandbox' then 1 else 0 end
`;

function isIn({ isShared = false, applicationId = "" }: LedgerScope): RawBuilder<SqlBool> {
  return sql`case ${IS_SHARED}
    when 1 then ${Number(isShared)} = 1 else ledger.application_id = ${applicationId} end`;
}

function entryOf(row: EntryRow): LedgerEntry {
  return {
    type: row.type,
    subject: row.subject === "" ? row.key : row.subject,
    applicationId: row.applicationId,
    seq: row.seq,
    eventId: row.eventId,
    kind: row.kind,
    occurredAt: row.occurredAt,
    highRisk: row.highRisk === 1,
    ...(row.isShared === 1 && { isShared: true }),
    ...(row.highRisk === NOTICE && { isNotice: true }),
  };
}
