import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import type { Erasure } from "./storage.js";
import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import { dialectOf } from "./dialect.js";
import { inNumbers } from "./lists.js";
import { createLedgerStore } from "./ledger-store.js";
import type { Subject } from "../model/subject.js";
import { keyOf } from "../model/subject-key.js";
import { eraseEnded, eraseEntries, type ErasedEntries, eraseLater } from "./pending-erasures.js";
import { advance } from "./revisions.js";
import { createWindows } from "./windows.js";

type Mentions = (text: string) => boolean;

/** Rows read at a time. */
const PAGE = 500;

const ERASED = "[erased]";

/**
 * Erases a subject in every spelling on record, in steps, so that nothing waits long. Each round erases
 * the log before what detection remembers, and then outdates what detectors have read of either: they
 * can store what follows from it before, which the next round finds, but not after.
 */
export async function eraseSubject(database: Database, subject: Subject): Promise<Erasure> {
  let sum = NOTHING;
  for (let after = 0; ;) {
    const subjects = await createLedgerStore(database).spellingsOf(subject);
    const patterns = subjects.map((one) => patternOf(one.subject));
    const mentions: Mentions = (text) => text !== withoutMentions(text, patterns);
    const found = await eraseMentions(database, mentions, after);
    const pending = await eraseFromMemory(database, patterns, mentions);
    const incidents = await eraseTexts(database, "incidents", mentions);
    const responses = await eraseTexts(database, "responses", mentions);
    const { ledgerEntries, seqs } = await eraseFromLedger(database, subjects);
    const named = await eraseInSteps(database, seqs);
    const labels = await eraseLabels(database, subjects);
    const round = { ledgerEntries, incidents, responses, labels, pending };
    sum = [found.erased, named, round].reduce(added, sum);
    if (found.count === 0) break;
    after = found.last;
  }
  await dialectOf(database).overwriteDeleted(database);
  return sum;
}

/** More rounds than are needed: after the first one, the owners have read everything again. */
const MAX_ROUNDS = 5;

/**
 * Erases a subject from the windows and the open incidents. Owners hold these in memory; they notice
 * the new revision when they store their next batch, discard it, and read everything again.
 */
async function eraseFromMemory(
  database: Database,
  patterns: readonly RegExp[],
  mentions: Mentions,
): Promise<number> {
  let marked = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const windows = await findWindows(database, mentions);
    const incidents = await findIncidents(database, patterns);
    if (round > 0 && windows.length + incidents.length === 0) break;
    marked += await atomically(database, async (within) => {
      await advance(within, "erasures");
      await advance(within, "detection");
      for (const { applicationId, map, key } of windows) {
        await within
          .deleteFrom("windows")
          .where("application_id", "=", applicationId)
          .where("map", "=", map)
          .where("key_json", "=", key)
          .execute();
      }
      for (const { seq, clean } of incidents) {
        await within.updateTable("incidents").set(clean).where("seq", "=", seq).execute();
      }
      return eraseLater(
        within,
        "incident",
        incidents.map(({ seq }) => seq),
      );
    });
  }
  return marked;
}

/** Erases rows that were still open at a previous erasure, and returns their number. */
export async function erasePending(database: Database): Promise<number> {
  await dialectOf(database).overwriteDeleted(database, true);
  const left = await database
    .selectFrom("pending_erasures")
    .select("seq")
    .limit(1)
    .executeTakeFirst();
  if (!left) return 0;
  const erased = await eraseEnded(database);
  if (erased > 0) await dialectOf(database).overwriteDeleted(database);
  return erased;
}

async function eraseFromLedger(
  database: Database,
  subjects: readonly Subject[],
): Promise<{ readonly ledgerEntries: number; readonly seqs: readonly number[] }> {
  const seqs: number[] = [];
  for (const one of subjects) {
    const key = keyOf(one);
    const entries = await database
      .deleteFrom("ledger")
      .where("subject_type", "=", one.type)
      .where("subject_key", "=", key)
      .where("subject", "=", one.subject === key ? "" : one.subject)
      .returning("log_seq")
      .execute();
    seqs.push(...entries.map(({ log_seq }) => log_seq));
  }
  return { ledgerEntries: seqs.length, seqs };
}

async function eraseLabels(database: Database, subjects: readonly Subject[]): Promise<number> {
  const accounts = subjects.filter(({ type }) => type === "account").map(keyOf);
  if (accounts.length === 0) return 0;
  const { numDeletedRows } = await database
    .deleteFrom("labels")
    .where("application_id", "in", (query) => query.selectFrom("applications").select("id"))
    .where("about", "=", "account")
    .where("target", "in", accounts)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

const NOTHING: Erasure = {
  ledgerEntries: 0,
  events: 0,
  incidents: 0,
  responses: 0,
  deliveries: 0,
  labels: 0,
  pending: 0,
};

async function eraseInSteps(database: Database, seqs: readonly number[]): Promise<ErasedEntries> {
  let sum = NOTHING;
  for (let start = 0; start < seqs.length; start += PAGE) {
    sum = added(sum, await eraseEntries(database, seqs.slice(start, start + PAGE)));
  }
  return sum;
}

function added(one: Erasure, other: Partial<Erasure>): Erasure {
  const names = Object.keys(one) as (keyof Erasure)[];
  const sums = names.map((name) => [name, one[name] + (other[name] ?? 0)]);
  return Object.fromEntries(sums) as Record<keyof Erasure, number>;
}

async function eraseTexts(
  database: Database,
  table: "incidents" | "responses",
  mentions: Mentions,
): Promise<number> {
  const rows =
    table === "responses"
      ? await database.selectFrom(table).select(["seq", "payload_json as text"]).execute()
      : await database
          .selectFrom(table)
          .select(["seq", "payload_json as text", "state_json as more", "subject"])
          .where("ended_at", "is not", null)
          .execute();
  const found = rows.filter((row) => mentions(Object.values(row).join("\n")));
  const seqs = found.map(({ seq }) => seq);
  await database.deleteFrom(table).where("seq", "in", inNumbers(database, seqs)).execute();
  return found.length;
}

interface CleanIncident {
  readonly seq: number;
  readonly clean: {
    readonly subject: string;
    readonly payload_json: string;
    readonly state_json: string;
  };
}

async function findIncidents(
  database: Database,
  patterns: readonly RegExp[],
): Promise<readonly CleanIncident[]> {
  const rows = await database
    .selectFrom("incidents")
    .select(["seq", "subject", "payload_json", "state_json"])
    .where("ended_at", "is", null)
    .execute();
  return rows.flatMap(({ seq, ...texts }) => {
    const subject = withoutMentions(texts.subject, patterns);
    const payload_json = withoutMentions(texts.payload_json, patterns);
    const state_json = withoutMentions(texts.state_json, patterns);
    const clean = { subject, payload_json, state_json };
    return JSON.stringify(clean) === JSON.stringify(texts) ? [] : [{ seq, clean }];
  });
}

async function findWindows(
  database: Database,
  mentions: Mentions,
): Promise<readonly { applicationId: string; map: string; key: string }[]> {
  const { rows: applications } = await sql<{ id: string }>`
    select distinct application_id as id from windows
  `.execute(database);
  const found: { applicationId: string; map: string; key: string }[] = [];
  for (const { id: applicationId } of applications) {
    for await (const { map, ...window } of createWindows(database).load(applicationId)) {
      const [key, value] = [JSON.stringify(window.key), JSON.stringify(window.value)];
      if (mentions(key) || mentions(value)) found.push({ applicationId, map, key });
    }
    await nextTurn();
  }
  return found;
}

interface FoundMentions {
  readonly erased: ErasedEntries;
  readonly count: number;
  /** Last entry that was looked at. */
  readonly last: number;
}

/** Empties the entries of the log, after the given one, that mention the subject. */
async function eraseMentions(
  database: Database,
  mentions: Mentions,
  after: number,
): Promise<FoundMentions> {
  let erased = NOTHING;
  let count = 0;
  for (let last = after; ;) {
    const rows = await database
      .selectFrom("log")
      .select(["seq", "event_id", "kind", "category", "payload_json"])
      .where("seq", ">", last)
      .orderBy("seq")
      .limit(PAGE)
      .execute();
    const seqs = rows
      .filter(({ seq: _seq, ...texts }) => mentions(Object.values(texts).join("\n")))
      .map(({ seq }) => seq);
    if (seqs.length > 0) erased = added(erased, await eraseEntries(database, seqs));
    count += seqs.length;
    last = rows.at(-1)?.seq ?? last;
    if (rows.length < PAGE) return { erased, count, last };
    // Lets the process do other work in between.
    await nextTurn();
  }
}

function withoutMentions(text: string, patterns: readonly RegExp[]): string {
  return patterns.reduce((left, pattern) => left.replace(pattern, ERASED), text);
}

/**
 * Returns a pattern that finds a subject in JSON or in a sentence: `1.2.3.4` occurs in
 * "from 1.2.3.4." but not in "11.2.3.45".
 */
export function patternOf(subject: string): RegExp {
  const written = JSON.stringify(subject).slice(1, -1);
  const literal = written.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  return new RegExp(`(?<![\\w.:@+-])${literal}(?!\\w|[.:@+-]\\w)`, "gi");
}
