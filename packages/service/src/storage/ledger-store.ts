import type { LedgerStore } from "./event-store.js";
import type { LedgerEntry, LedgerScope } from "../model/subject.js";
import { mailboxOf } from "@riskgate/core/address";
import { type RawBuilder, type Selectable, sql, type SqlBool } from "kysely";
import { atomically } from "./atomically.js";
import { type Database, storedText } from "./database.js";
import { rowsOf } from "./lists.js";
import type { Bit, Schema } from "./schema.js";

/** Entries read at a time: the whole ledger may be larger than memory. */
const PAGE = 5_000;

/** In place of the risk of an entry that does not count in lookups. */
const NOTICE = 2;

export function createLedgerStore(database: Database): LedgerStore {
  return {
    record: (entries) =>
      atomically(database, async (within) => {
        if (entries.length === 0) return undefined;
        const rows = entries.map((entry) => [
          entry.type,
          storedText(entry.subject),
          entry.applicationId,
          entry.eventId,
          entry.occurredAt,
          entry.isNotice ? NOTICE : Number(entry.highRisk),
        ]);
        // One JSON value: building a statement with a value for each cell takes longer than running it.
        await sql`
          insert into ledger
            (subject_type, subject, application_id, event_id, occurred_at, high_risk)
          select
            value ->> 0, value ->> 1, value ->> 2, value ->> 3,
            cast(value ->> 4 as bigint), cast(value ->> 5 as bigint)
          from ${rowsOf(within, rows)}
        `.execute(within);
        const { last } = await within
          .selectFrom("ledger")
          .select(({ fn }) => fn.max("seq").as("last"))
          .executeTakeFirstOrThrow();
        return last;
      }),
    async *load(since, afterSeq = 0) {
      for (let last = afterSeq; ;) {
        const rows = await entriesIn(database)
          .where("ledger.seq", ">", last)
          .where("occurred_at", ">=", since)
          .orderBy("ledger.seq")
          .limit(PAGE)
          .execute();
        yield* rows.map(entryOf);
        if (rows.length < PAGE) return;
        last = rows.at(-1)!.seq;
      }
    },
    async entriesOf({ type, subject }, limit, scope) {
      const found = entriesIn(database)
        .where("subject_type", "=", type)
        .where("subject", "=", subject)
        .orderBy("occurred_at", "desc")
        .orderBy("ledger.seq", "desc")
        .limit(limit);
      const rows = await (scope ? found.where(isIn(scope)) : found).execute();
      return rows.map(entryOf);
    },
    async spellingsOf({ type, subject }) {
      const found = new Set([subject]);
      if (type === "account") {
        const mailbox = mailboxOf(subject);
        for (let last = ""; ;) {
          const rows = await database
            .selectFrom("ledger")
            .select("subject")
            .distinct()
            .where("subject_type", "=", type)
            .where("subject", ">", last)
            .orderBy("subject")
            .limit(PAGE)
            .execute();
          for (const row of rows) if (mailboxOf(row.subject) === mailbox) found.add(row.subject);
          if (rows.length < PAGE) break;
          last = rows.at(-1)!.subject;
        }
      }
      return [...found].map((spelling) => ({ type, subject: spelling }));
    },
  };
}

/** Whether the application of an entry shares its reports, as `isSharing` reads it. */
const IS_SHARED = sql<Bit>`
  case when applications.shares_reports = 1 and applications.kind <> 'sandbox' then 1 else 0 end
`;

/** Selects entries, with whether they are shared today. */
function entriesIn(database: Database) {
  return database
    .selectFrom("ledger")
    .leftJoin("applications", "applications.id", "ledger.application_id")
    .selectAll("ledger")
    .select(IS_SHARED.as("is_shared"));
}

function isIn({ isShared = false, applicationId = "" }: LedgerScope): RawBuilder<SqlBool> {
  return sql`case ${IS_SHARED}
    when 1 then ${Number(isShared)} = 1 else ledger.application_id = ${applicationId} end`;
}

function entryOf(row: Selectable<Schema["ledger"]> & { is_shared: Bit }): LedgerEntry {
  return {
    type: row.subject_type,
    subject: row.subject,
    applicationId: row.application_id,
    eventId: row.event_id,
    occurredAt: row.occurred_at,
    highRisk: row.high_risk === 1,
    ...(row.is_shared === 1 && { isShared: true }),
    ...(row.high_risk === NOTICE && { isNotice: true }),
  };
}
