import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  openPostgresStorage,
  type PostgresStorageOptions,
} from "../../src/storage/open-storage.js";
import type { Storage } from "../../src/storage/storage.js";
import { type BreakableLink, breakableLink } from "../support/breakable-link.js";
import { hasPostgres, temporaryDatabase } from "../support/postgres.js";

/** Short, so that the tests need not wait. */
const TIMES = {
  connectMs: 300,
  statementMs: 200,
  answerMs: 100,
  queueMs: 100,
  takeoverMs: 10_000,
  retryMs: 50,
};

interface Linked {
  readonly storage: Storage;
  readonly link: BreakableLink;
  /** The database, past the link. */
  readonly database: string;
  readonly taken: unknown[];
}

async function linkedStorage(options: PostgresStorageOptions = {}): Promise<Linked> {
  const database = await temporaryDatabase();
  const link = await breakableLink(database);
  const taken: unknown[] = [];
  const storage = await openPostgresStorage(link.url, {
    times: TIMES,
    onTakenOver: (error) => taken.push(error),
    ...options,
  });
  onTestFinished(() => storage.close());
  return { storage, link, database, taken };
}

const namesIn = async (storage: Storage): Promise<string[]> =>
  (await storage.applications.list()).map(({ name }) => name);

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "no failure",
    (error: unknown) => error,
  );

const NO_ANSWER = { code: "STORE_FAILED", message: "the database does not answer in time" };

// The server is real; what breaks is the way to it.
const title = "a database that goes away";
describe.skipIf(!hasPostgres)(hasPostgres ? title : `${title} (no server: skipped)`, () => {
  it("keeps nothing of a transaction whose answer did not come, not even later", async () => {
    const { storage, link } = await linkedStorage();
    const failing = storage.transaction(async ({ applications }) => {
      await applications.create({ name: "first half" });
      link.freeze();
      await applications.create({ name: "second half" });
    });
    expect(await failureOf(failing)).toMatchObject(NO_ANSWER);
    link.thaw();
    await expect
      .poll(() => failureOf(storage.applications.create({ name: "next" })))
      .toBe("no failure");
    expect(await namesIn(storage)).toEqual(["next"]);
  });

  it("refuses everybody in a bounded time while the server is frozen, and then at once", async () => {
    const { storage, link } = await linkedStorage();
    link.freeze();
    const failures = await Promise.all(
      Array.from({ length: 20 }, () => failureOf(storage.applications.list())),
    );
    expect(failures).toEqual(Array.from({ length: 20 }, () => expect.objectContaining(NO_ANSWER)));
    // Once it is known, nobody waits.
    await failureOf(storage.applications.list());
    const startMs = performance.now();
    const later = await Promise.all(
      Array.from({ length: 200 }, () => failureOf(storage.applications.list())),
    );
    expect(later).not.toContain("no failure");
    expect(performance.now() - startMs).toBeLessThan(TIMES.connectMs);
    link.thaw();
    await expect.poll(() => failureOf(storage.applications.list())).toBe("no failure");
  });

  it("says that the server cannot be reached, with what to do, and goes on by itself", async () => {
    const { storage, link, taken } = await linkedStorage();
    await storage.applications.create({ name: "before" });
    await link.cut();
    await expect
      .poll(() => failureOf(storage.applications.list()))
      .toMatchObject({
        code: "STORE_FAILED",
        message: "the database server cannot be reached",
        hint: expect.stringContaining("host and port"),
      });
    await link.mend();
    await expect.poll(() => failureOf(namesIn(storage))).toBe("no failure");
    expect(await namesIn(storage)).toEqual(["before"]);
    expect(taken).toEqual([]);
  });

  it("gets its lock back from a connection that the server believes to be alive", async () => {
    const { storage, link, database } = await linkedStorage();
    link.freeze();
    await failureOf(storage.applications.list());
    // The connection before stays open on the side of the server; new ones get through.
    link.thawNew();
    await expect.poll(() => failureOf(storage.applications.list())).toBe("no failure");
    const client = new pg.Client({ connectionString: database });
    await client.connect();
    const { rows } = await client.query(`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name = 'riskgate'
    `);
    await client.end();
    expect(rows).toEqual([{ count: 1 }]);
  });

  it("does nothing more once another process has had the database", async () => {
    const { storage, link, database, taken } = await linkedStorage();
    await link.cut();
    const other = await openPostgresStorage(database, { times: TIMES });
    await other.applications.create({ name: "by the other one" });
    await other.close();
    await link.mend();
    const message = "another process has taken over the database";
    await expect.poll(() => taken).toMatchObject([{ code: "STORE_FAILED", message }]);
    const failing = storage.applications.create({ name: "outdated" });
    expect(await failureOf(failing)).toMatchObject({ code: "STORE_FAILED", message });
  });

  it("does nothing more while another process has the database", async () => {
    const { storage, link, database, taken } = await linkedStorage();
    await link.cut();
    const other = await openPostgresStorage(database, { times: TIMES });
    onTestFinished(() => other.close());
    await link.mend();
    await expect.poll(() => taken).toHaveLength(1);
    expect(await failureOf(storage.applications.list())).toMatchObject({ code: "STORE_FAILED" });
    expect(await namesIn(other)).toEqual([]);
  });
});
