import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Libsql from "libsql";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../src/storage/database.js";
import { createFirstTables } from "../../src/storage/first-tables.js";
import { openStorage } from "../../src/storage/open-storage.js";
import type { Storage } from "../../src/storage/storage.js";
import { temporaryDirectory } from "../support/temporary-storage.js";

const ALL = [
  "0001_first_tables",
  "0002_queued_events",
  "0003_judgements",
  "0004_erasures",
  "0005_incident_genres",
  "0006_key_scopes",
  "0007_shared_tables",
  "0008_operator_rules",
  "0009_decisions",
  "0010_announced_changes",
  "0011_rate_limits",
];

/** Runs statements on the database of a directory, and returns the rows of the last one. */
function query(path: string, ...statements: readonly string[]): Record<string, unknown>[] {
  const database = new Libsql(join(path, "riskgate.db"));
  try {
    for (const statement of statements.slice(0, -1)) database.exec(statement);
    return database.prepare(statements.at(-1)!).all() as Record<string, unknown>[];
  } finally {
    database.close();
  }
}

const executed = (path: string) =>
  query(path, "select name from kysely_migration order by name").map(({ name }) => name);

const tables = (path: string) =>
  query(path, "select name from sqlite_schema where type = 'table' order by name")
    .map(({ name }) => name)
    .filter((name) => !String(name).startsWith("sqlite_"));

/** A directory as the service left it when it counted migrations by number. */
async function numberedDirectory(version: number): Promise<string> {
  const path = await temporaryDirectory();
  const database = openDatabase({ path: join(path, "riskgate.db"), maxBytes: undefined });
  await createFirstTables(database as never);
  await database.destroy();
  query(
    path,
    "create table migrations (version integer primary key, applied_at bigint not null)",
    `insert into migrations values (${version}, 1700000000123456)`,
    `insert into applications values (1, 'shop', 'Shop', 'production', 'ordinary', null, '[]', null,
       0, 1000, '[]', null, null, null, 7)`,
    "select 1",
  );
  return path;
}

async function open(path: string): Promise<Storage> {
  const storage = await openStorage(path);
  onTestFinished(() => storage.close());
  return storage;
}

describe("migrate", () => {
  it("makes the tables of a new database, and does nothing the next time", async () => {
    const path = await temporaryDirectory();
    const first = await openStorage(path);
    const shop = await first.applications.create({ name: "Shop" });
    await first.close();
    expect(executed(path)).toEqual(ALL);

    const before = query(path, "select * from kysely_migration");
    const second = await open(path);
    expect(await second.applications.list()).toEqual([shop]);
    expect(query(path, "select * from kysely_migration")).toEqual(before);
  });

  it("takes over a database whose migrations were counted by number", async () => {
    const path = await numberedDirectory(1);
    const storage = await open(path);
    expect(await storage.applications.list()).toMatchObject([{ id: "shop", name: "Shop" }]);
    expect(executed(path)).toEqual(ALL);
    expect(query(path, "select timestamp from kysely_migration where name like '0001%'")).toEqual([
      { timestamp: "2023-11-14T22:13:20.123Z" },
    ]);
    expect(tables(path)).not.toContain("migrations");
  });

  it("starts with a database whose first migration was never done", async () => {
    const path = await temporaryDirectory();
    query(
      path,
      "create table migrations (version integer primary key, applied_at bigint not null)",
      "select 1",
    );
    const storage = await open(path);
    expect(await storage.applications.list()).toEqual([]);
    expect(executed(path)).toEqual(ALL);
  });

  it("gives the same tables to a new database and to one that was taken over", async () => {
    const schema = (path: string) =>
      query(path, "select name, sql from sqlite_schema where sql is not null order by name");
    const fresh = await temporaryDirectory();
    await open(fresh);
    const old = await numberedDirectory(1);
    await open(old);
    const shape = (rows: Record<string, unknown>[]) =>
      rows.filter(({ name }) => name !== "kysely_migration");
    expect(shape(schema(old))).toEqual(shape(schema(fresh)));
  });

  it("completes events that were queued before, and leaves every other payload alone", async () => {
    const path = await numberedDirectory(1);
    const queued = [
      ["security_event", '{"event_id":"a","event_url":"/a","text":"\\u0000 \u00e9"}'],
      ["security_event", '{"id":"b","url":"/b","risk":0}'],
      ["security_event", "{damaged"],
      ["pulse", '{"id":"c"}'],
    ];
    for (const [type, payload] of queued) {
      const insert = "insert into outbox (application_id, payload_type, payload_json, queued_at)";
      query(path, `${insert} values ('shop', '${type}', '${payload}', 1)`, "select 1");
    }
    const storage = await open(path);
    const entries = await storage.outbox.take("shop", 9);
    expect(entries.slice(0, 2).map(({ payload }) => JSON.parse(payload) as unknown)).toEqual([
      { event_id: "a", id: "a", event_url: "/a", url: "/a", risk: 25, text: "\0 \u00e9" },
      { event_id: "b", id: "b", event_url: "/b", url: "/b", risk: 0 },
    ]);
    expect(entries.slice(2).map(({ payload }) => payload)).toEqual(["{damaged", '{"id":"c"}']);
  });

  it("keeps the keys of earlier versions as keys for lookups", async () => {
    const path = await numberedDirectory(1);
    query(
      path,
      "insert into api_keys values (1, 'old', 'shop', 'its hash', 'abcd', 7, null)",
      "select 1",
    );
    const { applications } = await open(path);
    expect(await applications.keysOf("shop")).toMatchObject([{ id: "old", scope: "lookup" }]);
    const found = await applications.findByKeyHashes(["its hash"]);
    expect(found.get("its hash")).toMatchObject({ id: "shop" });
    expect(await applications.findByKeyHashes(["its hash"], "report")).toEqual(new Map());
  });

  it("does not depend on the clock of earlier migrations", async () => {
    const path = await temporaryDirectory();
    await (await openStorage(path)).close();
    query(
      path,
      "update kysely_migration set timestamp = '2999-01-01T00:00:00.000Z' where name like '0001%'",
      "select 1",
    );
    expect(await (await open(path)).applications.list()).toEqual([]);
  });

  it.each([
    ["by number", () => numberedDirectory(99), "version 99"],
    [
      "by name",
      async () => {
        const path = await temporaryDirectory();
        await (await openStorage(path)).close();
        const later = "insert into kysely_migration values ('0099_later', '2999-01-01')";
        query(path, later, "pragma wal_checkpoint(truncate)");
        return path;
      },
      "0099_later",
    ],
  ])("refuses a later database that counts %s, and leaves it alone", async (_, make, expected) => {
    const path = await make();
    const file = join(path, "riskgate.db");
    query(path, "pragma wal_checkpoint(truncate)");
    const before = tables(path);
    const bytes = await readFile(file);
    await expect(openStorage(path)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(expected) as string,
    });
    expect(tables(path)).toEqual(before);
    expect((await readFile(file)).subarray(100).equals(bytes.subarray(100))).toBe(true);
  });

  it("makes no table when one of them cannot be made, and goes on once it can", async () => {
    const path = await temporaryDirectory();
    // A database that was begun, with the last table of the first migration in the way.
    await writeFile(join(path, "riskgate.db.new"), "");
    query(path, "create table attempts (other text)", "select 1");
    await expect(openStorage(path)).rejects.toMatchObject({ code: "STORE_FAILED" });
    expect(tables(path)).not.toContain("applications");
    expect(executed(path)).toEqual([]);
    query(path, "drop table attempts", "select 1");
    await open(path);
    expect(executed(path)).toEqual(ALL);
  });
});
