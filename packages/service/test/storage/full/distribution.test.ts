import { type CompiledQuery, sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { derivedEntry } from "../../../src/model/derived-entry.js";
import { createStorage } from "../../../src/storage/create-storage.js";
import type { Database } from "../../../src/storage/database.js";
import { singleClock } from "../../../src/storage/database-clock.js";
import { Leases } from "../../../src/storage/leases.js";
import { migrate } from "../../../src/storage/migrations.js";
import { openPostgres } from "../../../src/storage/postgres.js";
import { hasPostgres, temporaryDatabase } from "../../support/postgres.js";
import { statementsOf } from "../../support/statements-of.js";
import { openIncidents } from "../../support/stored-incidents.js";

/** Tables that are divided by the hash of the application, as a distributed PostgreSQL divides them. */
const DIVIDED = ["log", "event_ids", "heads", "cursors", "windows", "labels"] as const;

const NODES = 4;

/** Tables of applications that cannot be divided yet, and why. */
const UNDIVIDED: Readonly<Record<string, string>> = {
  api_keys: "found by the hash of a key, before the application is known",
  signing_secrets: "few rows, numbered",
  playbooks: "few rows, found by id",
  incidents: "found by id, and listed for all applications by number",
  responses: "found by id, and listed for all applications by number",
  decisions: "listed for all applications by number",
  deliveries: "found by id, and retried by number",
  ledger: "lookups read the entries of all applications that share their reports",
};

/** Tables without an application of their own, which belong to rows that have one. */
const DEPENDENT: Readonly<Record<string, string>> = {
  attempts: "found by the number of a delivery",
  pending_erasures: "nearly always empty, so each node can have a copy",
};

async function openDatabase(): Promise<Database> {
  const database = await openPostgres(await temporaryDatabase());
  onTestFinished(() => database.destroy());
  await migrate(database);
  return database;
}

async function divide(database: Database): Promise<void> {
  for (const name of DIVIDED) {
    const [table, before] = [sql.table(name), sql.table(`${name}_whole`)];
    await sql`alter table ${table} rename to ${before}`.execute(database);
    await sql`
      create table ${table} (like ${before} including defaults including indexes)
      partition by hash (application_id)
    `.execute(database);
    for (let node = 0; node < NODES; node++) {
      await sql`
        create table ${sql.table(`${name}_node_${node}`)} partition of ${table}
        for values with (modulus ${sql.lit(NODES)}, remainder ${sql.lit(node)})
      `.execute(database);
    }
  }
}

interface PlanNode {
  readonly "Relation Name"?: string;
  readonly Plans?: readonly PlanNode[];
}

function nodesIn({ Plans = [], ...plan }: PlanNode): readonly string[] {
  const own = /_node_(\d+)$/.exec(plan["Relation Name"] ?? "")?.[1];
  return [...(own === undefined ? [] : [own]), ...Plans.flatMap(nodesIn)];
}

/** Returns the nodes that a statement concerns. */
async function nodesOf(database: Database, statement: CompiledQuery): Promise<ReadonlySet<string>> {
  const { rows } = await database.executeQuery<{
    "QUERY PLAN": readonly { readonly Plan: PlanNode }[];
  }>({ ...statement, sql: `explain (format json) ${statement.sql}` });
  return new Set(rows.flatMap((row) => row["QUERY PLAN"].flatMap(({ Plan }) => nodesIn(Plan))));
}

const title = "a database that is divided by application";
describe.skipIf(!hasPostgres)(hasPostgres ? title : `${title} (no server: skipped)`, () => {
  it("needs one node for each statement of a report, its detection and its delivery", async () => {
    const database = await openDatabase();
    await divide(database);
    const now = 1_700_000_000_000_000;
    const clock = singleClock(() => now);
    const storage = createStorage({ database }, clock, new Leases(() => 0));
    const { log, outbox } = storage;
    const { id } = await storage.applications.create({ name: "Shop" });
    const seen = statementsOf(database);

    const entry = { ...derivedEntry({ type: "test", payload: {} }), cause: null, eventId: "one" };
    const [seqs = []] = await log.append([{ applicationId: id, entries: [entry, entry] }]);
    const [seq = 0] = seqs;
    expect(seqs).toEqual([seq, undefined]);
    expect(await log.read(id, 0, 10, [seq])).toHaveLength(1);
    const { detection: revision } = await storage.revisions();
    await storage.transaction(async (inner) => {
      const step = { from: 0, to: seq, version: 0, revision };
      expect(await inner.log.move(id, "detection", step)).toBe(true);
      const window = { map: "waiting", key: "a", value: 1, expiresAt: now + 1 };
      await inner.windows.save(id, [window]);
      await inner.incidents.save(openIncidents(id, 2, now));
      await inner.log.dropRead(id, 0, seq);
      await inner.log.derive(id, [derivedEntry({ type: "test", payload: {} })]);
    });
    await log.derivedFrom(id, [seq]);
    await log.awaitDetection(id);
    await log.awaitAppends(id);
    const { entries: waiting } = await outbox.take(id, 10);
    expect(waiting).toHaveLength(2);
    const last = waiting.at(-1)!.seq;
    expect(await outbox.pass(id, await log.position(id, "delivery"), last)).toBe(true);
    for await (const change of storage.windows.load(id)) expect(change.key).toBe("a");

    const statements = [...seen].filter(({ sql: text }) =>
      /\b(?:log|event_ids|heads|cursors|windows)\b/.test(text),
    );
    expect(statements.length).toBeGreaterThan(10);
    const home = new Set<string>();
    for (const statement of statements) {
      const nodes = await nodesOf(database, statement);
      expect(nodes.size, statement.sql).toBeLessThanOrEqual(1);
      for (const node of nodes) home.add(node);
    }
    // All tables of an application are on the same node.
    expect(home.size).toBe(1);
  });

  it("could divide a table if each unique index of it has the application", async () => {
    const database = await openDatabase();
    const { rows } = await sql<{ table: string; isOwned: boolean; isWhole: boolean }>`
      select relname as table, own.attnum is not null as "isOwned",
        exists (
          select 1 from pg_index where indrelid = pg_class.oid and indisunique
            and not coalesce(own.attnum = any(indkey), false)
        ) as "isWhole"
      from pg_class left join pg_attribute own
        on own.attrelid = pg_class.oid and own.attname = 'application_id'
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not relispartition order by relname
    `.execute(database);
    const owned = rows.filter(({ isOwned }) => isOwned);
    const named = (list: typeof rows) => list.map(({ table }) => table);
    expect(named(owned.filter(({ isWhole }) => !isWhole))).toEqual([...DIVIDED].sort());
    expect(named(owned.filter(({ isWhole }) => isWhole))).toEqual(Object.keys(UNDIVIDED).sort());
    expect(named(rows)).toEqual(expect.arrayContaining(Object.keys(DEPENDENT)));
  });
});
