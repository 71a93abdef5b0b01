import { Migrator, sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { createStorage } from "../../../src/storage/create-storage.js";
import { singleClock } from "../../../src/storage/database-clock.js";
import type { Database } from "../../../src/storage/database.js";
import { Leases } from "../../../src/storage/leases.js";
import { beginDays, logParts, today } from "../../../src/storage/log-days.js";
import { migrate } from "../../../src/storage/migrations.js";
import { openPostgres } from "../../../src/storage/postgres.js";
import { createTables } from "../../../src/storage/tables.js";
import type { Storage } from "../../../src/storage/storage.js";
import { hasPostgres, temporaryDatabase } from "../../support/postgres.js";
import { storeEvents } from "../../support/stored-events.js";

const EVE = { type: "account", subject: "eve@shop.example" } as const;
const DAY = 86_400_000_000;
const clock = { now: 1_700_000_000_000_000 };

async function openDatabase(url: string): Promise<Database> {
  const database = await openPostgres(url);
  onTestFinished(() => database.destroy());
  return database;
}

const storageOf = (database: Database): Storage => {
  const storage = createStorage(
    { database },
    singleClock(() => clock.now),
    new Leases(() => 0),
  );
  return { ...storage, close: async () => {} };
};

/** A migrated database, with an application that receives deliveries. */
async function openShop() {
  const url = await temporaryDatabase();
  const database = await openDatabase(url);
  await migrate(database);
  const storage = storageOf(database);
  const webhookUrl = "https://hooks.example/security";
  const { id } = await storage.applications.create({ name: "Shop", webhookUrl });
  const report = (name: string) =>
    storeEvents(storage, id, [
      {
        id: name,
        kind: "xss",
        category: "injection",
        occurredAt: clock.now,
        highRisk: true,
        payload: { humanized_description: `Attack by ${EVE.subject}.` },
        about: [EVE],
      },
    ]);
  const tables = async () => (await logParts(database)).map(({ table }) => table);
  const names = async () => (await storage.events.list()).map((event) => event.id);
  return { url, database, storage, id, report, tables, names, day: await today(database) };
}

const title = hasPostgres ? "the days of the log" : "the days of the log (no PostgreSQL: skipped)";
describe.skipIf(!hasPostgres)(title, () => {
  it("take over a database from before with its entries", async () => {
    const database = await openDatabase(await temporaryDatabase());
    const provider = {
      getMigrations: () => Promise.resolve({ "0001_tables": { up: createTables } }),
    };
    await new Migrator({ db: database, provider }).migrateToLatest();
    // What a build from before did not create.
    await sql`drop table last_runs`.execute(database);
    await sql`delete from revisions where name = 'detection'`.execute(database);
    for (const name of [
      "incidents_by_ended_at",
      "responses_by_ends_at",
      "deliveries_by_created_at",
    ])
      await sql`drop index ${sql.ref(name)}`.execute(database);
    const before = storageOf(database);
    const { id } = await before.applications.create({ name: "Shop" });
    const event = { kind: "xss", category: "injection", occurredAt: clock.now, highRisk: true };
    const payload = { humanized_description: `Attack by ${EVE.subject}.` };
    const report = (storage: Storage, name: string) =>
      storeEvents(storage, id, [{ ...event, id: name, payload, about: [EVE] }]);
    const [first] = await report(before, "1");

    await migrate(database);
    const storage = storageOf(database);
    expect(await report(storage, "1")).toEqual([undefined]);
    const [second] = await report(storage, "2");
    expect(second).toBeGreaterThan(first!);
    const listed = await storage.events.list();
    expect(listed.map((one) => [one.id, one.seq])).toEqual([
      ["2", second],
      ["1", first],
    ]);
    expect(await storage.events.find("1")).toMatchObject([{ id: "1", payload }]);
    const stored = await sql<{ table: string; seq: number }>`
      select tableoid::regclass::text as table, seq from log order by seq
    `.execute(database);
    expect(stored.rows).toEqual([
      { table: "log_before", seq: first },
      { table: `log_${await today(database)}`, seq: second },
    ]);
    expect(await storage.revisions()).toMatchObject({ detection: 0 });
    expect(await storage.erase(EVE)).toMatchObject({ events: 2, ledgerEntries: 2 });
    expect((await storage.events.list()).map((one) => one.payload)).toEqual([{}, {}]);
  });

  it("begin only if their table is known, and never refuse an entry", async () => {
    const { database, report, tables, day, names } = await openShop();
    expect(await tables()).toEqual(["log_before", ...[0, 1, 2].map((n) => `log_${day + n}`)]);
    // Nothing ran for days, so no table is there.
    const [first] = await report("1");
    await beginDays(database, day + 9);
    const [second] = await report("2");
    expect(second! - first!).toBeLessThan(10);
    await beginDays(database, day + 9);
    const [third] = await report("3");
    expect(third! - second!).toBeGreaterThan(2 ** 37);
    // A clock that was set back changes nothing.
    await beginDays(database, day + 1);
    const [fourth] = await report("4");
    expect(fourth! - third!).toBeLessThan(10);
    expect(await names()).toEqual(["4", "3", "2", "1"]);
  });

  it("are dropped when all of a day is old and delivered, but not before", async () => {
    const { database, storage, id, report, tables, day, names } = await openShop();
    const began = clock.now;
    await report("1");
    clock.now += 1_000;
    await report("2");
    const [first = 0, second = 0] = (await storage.outbox.take(id, 10)).entries.map(
      ({ seq }) => seq,
    );
    await storage.outbox.pass(id, 0, first);
    await beginDays(database, day + 1);
    clock.now = began + DAY;
    await report("3");

    // A part of the day is recent.
    await storage.prune({ eventsBefore: began + 1 });
    expect(await names()).toEqual(["3", "2", "1"]);
    // The second one is still to be delivered.
    await storage.prune({ eventsBefore: began + DAY });
    expect(await names()).toEqual(["3", "2"]);
    expect(await tables()).toContain(`log_${day}`);
    await storage.outbox.pass(id, first, second);
    expect(await storage.prune({ eventsBefore: began + DAY })).toBeGreaterThan(0);
    expect(await names()).toEqual(["3"]);
    expect(await tables()).not.toContain(`log_${day}`);
    // The day to which entries are added remains, however old they are.
    await storage.log.skip(id, "delivery");
    await storage.prune({ eventsBefore: clock.now + DAY });
    expect(await tables()).toContain(`log_${day + 1}`);
    expect(await names()).toEqual([]);
    expect(await report("4")).toEqual([expect.any(Number)]);
  });

  it("are not dropped while a report would wait for it", async () => {
    const { url, database, storage, id, report, tables, day } = await openShop();
    await report("1");
    await storage.log.skip(id, "delivery");
    await beginDays(database, day + 1);
    const other = await openDatabase(url);
    await other.transaction().execute(async (within) => {
      await within.selectFrom("log").select("seq").execute();
      expect(await storage.prune({ eventsBefore: clock.now + DAY })).toBeGreaterThanOrEqual(0);
      expect(await tables()).toContain(`log_${day}`);
    });
    await storage.prune({ eventsBefore: clock.now + DAY });
    expect(await tables()).not.toContain(`log_${day}`);
  });

  it("are planned once for what processes ask all the time", async () => {
    const { database, storage } = await openShop();
    await storage.log.lag([0]);
    await storage.outbox.backlog([0]);
    const { rows } = await sql<{ name: string }>`
      select name from pg_prepared_statements order by name
    `.execute(database);
    expect(rows.map(({ name }) => name)).toEqual(["backlog", "lag"]);
  });
});
