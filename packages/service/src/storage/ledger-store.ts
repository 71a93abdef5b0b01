import { mailboxOf } from "@riskgate/core/address";
import { type Selectable, sql } from "kysely";
import { atomically } from "./atomically.js";
import { type Database, storedText } from "./database.js";
import type { Instant } from "../model/instant.js";
import { rowsOf } from "./lists.js";
import type { Schema } from "./schema.js";

const SUBJECT_TYPES = ["ip", "net", "account"] as const;
type SubjectType = (typeof SUBJECT_TYPES)[number];

/** Whom an entry of the ledger is about. */
export interface Subject {
  readonly type: SubjectType;
  /** Address in its normal form, IPv6 network as a CIDR, or identifier of an account, folded. */
  readonly subject: string;
}

/** One security event, as it counts for one subject. */
export interface LedgerEntry extends Subject {
  readonly applicationId: string;
  readonly eventId: string;
  readonly occurredAt: Instant;
  readonly highRisk: boolean;
}

/** The record of events by address and account, for all applications together. */
export interface LedgerStore {
  /** @returns The `seq` of the last one; undefined for none. */
  record(entries: readonly LedgerEntry[]): Promise<number | undefined>;
  /** Everything that occurred since then, in the order it was recorded, read in pages. */
  load(since: Instant, afterSeq?: number): AsyncIterable<LedgerEntry>;
  /** The newest entries of one subject, newest first. */
  entriesOf(subject: Subject, limit: number): Promise<readonly LedgerEntry[]>;
  /**
   * The subject, and every other one on record that is the same mailbox: entries keep the spelling that
   * was reported, so that a change of the normal form needs no migration.
   */
  spellingsOf(subject: Subject): Promise<readonly Subject[]>;
  /** How many entries that were. See `storage.erase` for everything about a subject. */
  erase(subject: Subject): Promise<number>;
}

/** Entries read at a time: the ledger as a whole may be larger than memory. */
const PAGE = 5_000;

/** Creates the ledger in a database. */
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
          Number(entry.highRisk),
        ]);
        // One statement for all: to build one with a value for each cell takes longer than to run it.
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
        const rows = await database
          .selectFrom("ledger")
          .selectAll()
          .where("seq", ">", last)
          .where("occurred_at", ">=", since)
          .orderBy("seq")
          .limit(PAGE)
          .execute();
        yield* rows.map(entryOf);
        if (rows.length < PAGE) return;
        last = rows.at(-1)!.seq;
      }
    },
    async entriesOf({ type, subject }, limit) {
      const rows = await database
        .selectFrom("ledger")
        .selectAll()
        .where("subject_type", "=", type)
        .where("subject", "=", subject)
        .orderBy("occurred_at", "desc")
        .orderBy("seq", "desc")
        .limit(limit)
        .execute();
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
    async erase({ type, subject }) {
      const { numDeletedRows } = await database
        .deleteFrom("ledger")
        .where("subject_type", "=", type)
        .where("subject", "=", subject)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

function entryOf(row: Selectable<Schema["ledger"]>): LedgerEntry {
  return {
    type: row.subject_type,
    subject: row.subject,
    applicationId: row.application_id,
    eventId: row.event_id,
    occurredAt: row.occurred_at,
    highRisk: row.high_risk === 1,
  };
}
