import { describe, expect, it, onTestFinished } from "vitest";
import { openPostgresStorage } from "../../../src/storage/open-storage.js";
import type { Storage } from "../../../src/storage/storage.js";
import { breakableLink } from "../../../../../tools/test/breakable-link.js";
import { hasPostgres, temporaryDatabase } from "../../support/postgres.js";

/** The storage of one process; `told` counts what it hears of changes. */
async function processOn(url: string): Promise<{ storage: Storage; told: () => number }> {
  let told = 0;
  const storage = await openPostgresStorage(url, {
    onChanged: () => told++,
    times: { retryMs: 50 },
  });
  onTestFinished(() => storage.close());
  return { storage, told: () => told };
}

const title = "changes that all processes on a database must know";
describe.skipIf(!hasPostgres)(hasPostgres ? title : `${title} (no server: skipped)`, () => {
  it.each<[string, (storage: Storage) => Promise<unknown>]>([
    ["of a setting", ({ applications }) => applications.create({ name: "Shop" })],
    ["of rules", ({ operatorRules }) => operatorRules.replace([])],
    ["of feeds", (storage) => storage.publishFeeds()],
    ["by an erasure", (storage) => storage.erase({ type: "ip", subject: "8.8.8.8" })],
  ])("are told without being asked for: a change %s", async (_, change) => {
    const url = await temporaryDatabase();
    const [one, other] = [await processOn(url), await processOn(url)];
    expect(other.told()).toBe(0);
    await change(one.storage);
    await expect.poll(other.told).toBeGreaterThan(0);
    await expect.poll(() => one.told() - other.told()).toBe(0);
  });

  it("do not include what only detection remembers, such as a block of an operator", async () => {
    const url = await temporaryDatabase();
    const [one, other] = [await processOn(url), await processOn(url)];
    const before = await other.storage.revisions();
    await one.storage.transaction((within) => within.outdateDetection());
    await one.storage.publishFeeds();
    await expect.poll(other.told).toBe(1);
    expect(await other.storage.revisions()).toEqual({
      ...before,
      detection: before.detection + 1,
      feeds: before.feeds + 1,
    });
  });

  it("are told again once a lost connection is back", async () => {
    const url = await temporaryDatabase();
    const one = await processOn(url);
    const link = await breakableLink(url);
    const other = await processOn(link.url);
    await link.cut();
    await link.mend();
    await expect
      .poll(() =>
        other.storage.check().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    const before = other.told();
    await one.storage.publishFeeds();
    await expect.poll(other.told).toBe(before + 1);
  });
});

const NEVER = new AbortController().signal;

/** Work that says when it begins, and ends when it is told to. */
function endless(): { work: () => Promise<void>; isBegun: Promise<void>; end: () => void } {
  let begin = (): void => {};
  let end = (): void => {};
  const isBegun = new Promise<void>((resolve) => (begin = resolve));
  const ended = new Promise<void>((resolve) => (end = resolve));
  const work = (): Promise<void> => {
    begin();
    return ended;
  };
  return { work, isBegun, end };
}

const ofTasks = "what one process at a time does";
describe.skipIf(!hasPostgres)(hasPostgres ? ofTasks : `${ofTasks} (no server: skipped)`, () => {
  it("is done by one process after the other, while both go on with other work", async () => {
    const url = await temporaryDatabase();
    const [one, other] = [(await processOn(url)).storage, (await processOn(url)).storage];
    const done: string[] = [];
    const { work, isBegun, end } = endless();
    const first = one.withTaskLock("feeds", () => work().then(() => void done.push("one")), NEVER);
    await isBegun;
    const second = other.withTaskLock("feeds", async () => void done.push("other"), NEVER);
    // Another task waits for neither.
    await other.withTaskLock("pruning", async () => void done.push("pruning"), NEVER);
    await Promise.all([one.check(), other.check()]);
    end();
    await Promise.all([first, second]);
    expect(done).toEqual(["pruning", "one", "other"]);
  });

  it("waits no longer than the signal lets it", async () => {
    const url = await temporaryDatabase();
    const [one, other] = [(await processOn(url)).storage, (await processOn(url)).storage];
    const stopping = new AbortController();
    const { work, isBegun, end } = endless();
    const first = one.withTaskLock("feeds", work, NEVER);
    await isBegun;
    const waiting = other.withTaskLock("feeds", async () => "done", stopping.signal);
    stopping.abort();
    expect(await waiting).toBeUndefined();
    end();
    await first;
  });

  it("is free again when what it does fails, or the process goes", async () => {
    const url = await temporaryDatabase();
    const link = await breakableLink(url);
    const [one, other] = [(await processOn(link.url)).storage, (await processOn(url)).storage];
    const failing = one.withTaskLock("feeds", () => Promise.reject(new Error("no network")), NEVER);
    await expect(failing).rejects.toThrow("no network");
    expect(await other.withTaskLock("feeds", async () => "done", NEVER)).toBe("done");
    await one.withTaskLock("feeds", () => link.cut(), NEVER);
    expect(await other.withTaskLock("feeds", async () => "done", NEVER)).toBe("done");
  });
});
