import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRequestLimits, type RateLimit } from "../../../src/http/request-limits.js";
import type { KeyHolder } from "../../../src/storage/application-store.js";
import { openPostgresStorage } from "../../../src/storage/open-storage.js";
import type { Storage } from "../../../src/storage/storage.js";
import { openPostgres } from "../../../src/storage/postgres.js";
import { breakableLink } from "../../../../../tools/test/breakable-link.js";
import { hasPostgres, temporaryDatabase } from "../../support/postgres.js";

const sandbox = { id: "a".repeat(24), kind: "sandbox" } as KeyHolder;

type SandboxLimit = (holder: KeyHolder) => Promise<number>;

/** Counts lookups, whose headers nobody reads. */
function createSandboxLimit(limit: RateLimit, storage: Storage): SandboxLimit {
  const limits = createRequestLimits(limit, storage);
  const response = { setHeader: () => response as never };
  return (holder) => limits(holder, response, true);
}

/** Three lookups an hour. */
const LIMIT = { burst: 3, perSecond: 3 / 3_600 };

/** The storage of one process, which waits for its database however busy the machine is. */
async function openPatiently(url: string): Promise<Storage> {
  const storage = await openPostgresStorage(url, { times: { optionalAnswerMs: 30_000 } });
  onTestFinished(() => storage.close());
  return storage;
}

async function passed(limits: readonly SandboxLimit[]): Promise<number> {
  const waits = await Promise.all(limits.map((limit) => limit(sandbox)));
  for (const seconds of waits)
    expect(seconds === 0 || (seconds > 3_000 && seconds <= 3_600)).toBe(true);
  return waits.filter((seconds) => seconds === 0).length;
}

const title = "the limit of a sandbox application on PostgreSQL";
describe.skipIf(!hasPostgres)(hasPostgres ? title : `${title} (no server: skipped)`, () => {
  it("is one for all processes", async () => {
    const url = await temporaryDatabase();
    const [one, other] = [await openPatiently(url), await openPatiently(url)].map((storage) =>
      createSandboxLimit(LIMIT, storage),
    ) as [SandboxLimit, SandboxLimit];
    expect(await passed([one, other, one, other, one, other])).toBe(3);
    expect(await other({ ...sandbox, id: "b".repeat(24) })).toBe(0);
  });

  it("is one for each key with a quota, too", async () => {
    const url = await temporaryDatabase();
    const [one, other] = [await openPatiently(url), await openPatiently(url)].map((storage) =>
      createSandboxLimit({ burst: 100, perSecond: 1 }, storage),
    ) as [SandboxLimit, SandboxLimit];
    const keyQuota = { keyId: "c".repeat(32), requests: 3, seconds: 3_600 };
    const holder = { id: "a".repeat(24), kind: "ordinary", keyQuota } as KeyHolder;
    const waits = await Promise.all([one, other, one, other, one].map((limit) => limit(holder)));
    expect(waits.filter((seconds) => seconds === 0)).toHaveLength(3);
    const another = { ...holder, keyQuota: { ...keyQuota, keyId: "d".repeat(32) } };
    expect(await other(another)).toBe(0);
  });

  it("starts a new window when the quota of a key changes", async () => {
    const limit = createSandboxLimit(
      { burst: 100, perSecond: 1 },
      await openPatiently(await temporaryDatabase()),
    );
    const holder = { id: "a".repeat(24), kind: "ordinary" } as KeyHolder;
    const keyQuota = { keyId: "c".repeat(32), requests: 1, seconds: 86_400 };
    const isRefused = async (quota: typeof keyQuota) =>
      (await limit({ ...holder, keyQuota: quota })) > 0;
    const twice = async (quota: typeof keyQuota) => [
      await isRefused(quota),
      await isRefused(quota),
    ];
    expect(await twice(keyQuota)).toEqual([false, true]);
    expect(await twice({ ...keyQuota, seconds: 60 })).toEqual([false, true]);
    expect(await twice({ ...keyQuota, requests: 2 })).toEqual([false, false]);
  });

  it("is kept by each process while the database does not answer", async () => {
    const link = await breakableLink(await temporaryDatabase());
    const storage = await openPostgresStorage(link.url);
    onTestFinished(() => storage.close());
    const limit = createSandboxLimit(LIMIT, storage);
    link.freeze();
    expect(await passed(Array.from({ length: 6 }, () => limit))).toBe(3);
    link.thaw();
  });

  it("is forgotten once its window has ended, or was begun by a clock far ahead", async () => {
    const url = await temporaryDatabase();
    const storage = await openPatiently(url);
    const limit = createSandboxLimit(LIMIT, storage);
    const database = await openPostgres(url);
    onTestFinished(() => database.destroy());
    const left = async (): Promise<unknown> => {
      await storage.prune({});
      return (await sql`select points from rate_limits`.execute(database)).rows;
    };
    for (const expire of [Date.now() - 1, Date.now() + 10 * 86_400_000]) {
      await limit(sandbox);
      expect(await left()).toEqual([{ points: 1 }]);
      await sql`update rate_limits set expire = ${expire}`.execute(database);
      expect(await left()).toEqual([]);
    }
  });
});
