import { describe, expect, it, onTestFinished } from "vitest";
import {
  openPostgresStorage,
  type PostgresStorageOptions,
} from "../../../src/storage/open-storage.js";
import type { Storage } from "../../../src/storage/storage.js";
import { type BreakableLink, breakableLink } from "../../../../../tools/test/breakable-link.js";
import { hasPostgres, temporaryDatabase } from "../../support/postgres.js";

/**
 * What only a frozen server meets is long for a busy machine, and short for a test that waits for it;
 * nothing waits until a connection is given up.
 */
const TIMES = {
  connectMs: 40_000,
  statementMs: 3_000,
  answerMs: 1_000,
  queueMs: 1_000,
  retryMs: 50,
};

interface Linked {
  readonly storage: Storage;
  readonly link: BreakableLink;
  /** The database, past the link. */
  readonly database: string;
}

async function linkedStorage(options: PostgresStorageOptions = {}): Promise<Linked> {
  const database = await temporaryDatabase();
  const link = await breakableLink(database);
  const storage = await openPostgresStorage(link.url, {
    times: TIMES,
    ...options,
  });
  onTestFinished(() => storage.close());
  return { storage, link, database };
}

const namesIn = async (storage: Storage): Promise<string[]> =>
  (await storage.applications.list()).map(({ name }) => name);

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "no failure",
    (error: unknown) => error,
  );

const NO_ANSWER = { code: "STORE_FAILED", message: "the database did not respond in time" };

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
    // One attempt to connect has failed, and another one is under way: nobody waits for that.
    await link.cut();
    await link.mend();
    await failureOf(storage.applications.list());
    // All connections of the storage.
    await expect.poll(link.open).toBe(4);
    const startMs = performance.now();
    const later = await Promise.all(
      Array.from({ length: 200 }, () => failureOf(storage.applications.list())),
    );
    expect(later).not.toContain("no failure");
    expect(performance.now() - startMs).toBeLessThan(TIMES.connectMs / 2);
    link.thaw();
    await expect.poll(() => failureOf(storage.applications.list())).toBe("no failure");
  });

  it("says that the server cannot be reached, with what to do, and goes on by itself", async () => {
    const { storage, link } = await linkedStorage();
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
  });
});
