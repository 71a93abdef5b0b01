import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Libsql from "libsql";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStorage } from "../../src/storage/open-storage.js";
import type { Storage } from "../../src/storage/storage.js";
import { temporaryDirectory } from "../support/temporary-storage.js";

const ALL = ["0001_tables", "0002_days", "0003_detection", "0004_labels", "0005_versions"];

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

async function open(path: string): Promise<Storage> {
  const storage = await openStorage(path);
  onTestFinished(() => storage.close());
  return storage;
}

describe("migrate", () => {
  it("creates the tables of a new database once", async () => {
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

  it("adds the version of cursors to a database of an earlier build", async () => {
    const path = await temporaryDirectory();
    const first = await openStorage(path);
    const { id } = await first.applications.create({ name: "Shop" });
    await first.close();
    query(
      path,
      "alter table cursors drop column version",
      "delete from kysely_migration where name = '0005_versions'",
      "select 1",
    );
    const second = await open(path);
    expect(executed(path)).toEqual(ALL);
    expect(await second.log.detected(id)).toEqual({ position: 0, version: 0 });
    await second.applications.create({ name: "Blog" });
  });

  it("accepts a migration that is dated in the future", async () => {
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
    ["a later version", [...ALL, "0099_later"], "0099_later, but this version knows"],
    [
      "a version before 0.1.0",
      ["0001_first_tables", "0002_queued_events"],
      "before 0.1.0 created the database",
    ],
  ])("refuses a database of %s, and does not change it", async (_, names, expected) => {
    const path = await temporaryDirectory();
    await (await openStorage(path)).close();
    const values = names.map((name) => `('${name}', '2020-01-01')`).join(", ");
    query(
      path,
      "delete from kysely_migration",
      `insert into kysely_migration values ${values}`,
      "pragma wal_checkpoint(truncate)",
    );
    const before = tables(path);
    const bytes = await readFile(join(path, "riskgate.db"));
    await expect(openStorage(path)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(expected) as string,
    });
    expect(tables(path)).toEqual(before);
    const after = await readFile(join(path, "riskgate.db"));
    expect(after.subarray(100).equals(bytes.subarray(100))).toBe(true);
  });

  it("makes no table if one of them fails, and all of them once it can", async () => {
    const path = await temporaryDirectory();
    // A database that was begun, with the last table in the way.
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
