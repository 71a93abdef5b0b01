import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { atomically, atomicallyUnsynced } from "../../src/storage/atomically.js";
import type { Database } from "../../src/storage/database.js";
import { openSqlite } from "../../src/storage/sqlite.js";

const NORMAL = 1;
const FULL = 2;

function open(): Database {
  const database = openSqlite({ path: ":memory:", maxBytes: undefined });
  onTestFinished(() => database.destroy());
  return database;
}

async function synchronous(database: Database): Promise<number | undefined> {
  const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(database);
  return rows[0]?.synchronous;
}

describe("atomically", () => {
  it("waits for the disk", async () => {
    expect(await atomically(open(), synchronous)).toBe(FULL);
  });
});

describe("atomicallyUnsynced", () => {
  it("does not wait for the disk, and what follows does again", async () => {
    const database = open();
    expect(await atomicallyUnsynced(database, synchronous)).toBe(NORMAL);
    expect(await synchronous(database)).toBe(FULL);
  });

  it("leaves others waiting for the disk also when it fails", async () => {
    const database = open();
    const failing = atomicallyUnsynced(database, () => Promise.reject(new Error("no")));
    // Asked while the other one is under way.
    const next = atomically(database, synchronous);
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe(FULL);
  });

  it("is a part of the transaction that is going on", async () => {
    const inner = atomically(open(), (within) => atomicallyUnsynced(within, synchronous));
    expect(await inner).toBe(FULL);
  });
});
