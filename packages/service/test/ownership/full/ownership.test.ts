import { describe, expect, it, onTestFinished } from "vitest";
import { ALL_PARTITIONS, partitionOf } from "../../../src/model/log-entry.js";
import { createOwnership, type Ownership, WHOLE } from "../../../src/ownership/ownership.js";
import { openPostgresStorage, openStorage } from "../../../src/storage/open-storage.js";
import type { Partitions } from "../../../src/storage/log-store.js";
import { hasPostgres, temporaryDatabase } from "../../support/postgres.js";
import { temporaryDirectory } from "../../support/temporary-storage.js";

/** A process on a database, which stops with the test. */
async function process(
  database: string,
  change: (partitions: Partitions) => Partitions = (one) => one,
): Promise<Ownership> {
  const storage = await openPostgresStorage(database);
  const ownership = createOwnership({
    partitions: change(storage.partitions),
    nowMs: () => performance.now(),
    onError() {},
  });
  onTestFinished(async () => {
    await ownership.close();
    await storage.close();
  });
  await ownership.start?.();
  return ownership;
}

const numberOf = (one: Ownership): number => one.partitions().length;

/** Waits for two processes to share everything, and asserts that they never share one partition. */
async function shared(one: Ownership, other: Ownership): Promise<void> {
  await expect
    .poll(() => {
      const own = new Set(one.partitions());
      expect(other.partitions().filter((partition) => own.has(partition))).toEqual([]);
      return [numberOf(one), numberOf(other)];
    })
    .toEqual([128, 128]);
}

it("owns everything of a data directory", async () => {
  const storage = await openStorage(await temporaryDirectory());
  onTestFinished(() => storage.close());
  const ownership = createOwnership({
    partitions: storage.partitions,
    nowMs: () => performance.now(),
    onError() {},
  });
  let taken = 0;
  ownership.onTaken(() => taken++);
  await ownership.start?.();
  expect(taken).toBe(1);
  expect(ownership.partitions()).toEqual(ALL_PARTITIONS);
  expect(ownership.partitions()).toEqual(WHOLE.partitions());
});

describe.skipIf(!hasPostgres)("ownership on PostgreSQL", () => {
  it("is shared by the processes that run, and never by two at once", async () => {
    const database = await temporaryDatabase();
    const first = await process(database);
    expect(numberOf(first)).toBe(256);
    const second = await process(database);
    await shared(first, second);
    const reader = await openPostgresStorage(database);
    onTestFinished(() => reader.close());
    expect(await reader.partitions.processes()).toMatchObject([
      { name: expect.stringMatching(/\/\d+$/), partitions: { length: 128 } },
      { partitions: { length: 128 } },
    ]);
    const id = "00ffffffffffffffffffffff";
    const holders = [first, second].filter((one) => one.holds(id));
    expect(holders).toHaveLength(1);
    expect(holders[0]?.partitions()).toContain(partitionOf(id));
  });

  it("returns at once from a process that stops, and after the lease from one that hangs", async () => {
    const database = await temporaryDatabase();
    const first = await process(database);
    let hanging: Promise<void> | undefined;
    let thaw = (): void => {};
    const second = await process(database, (partitions) => ({
      ...partitions,
      async renew(...given) {
        await hanging;
        return partitions.renew(...given);
      },
    }));
    const third = await process(database);
    await expect.poll(() => numberOf(third)).toBeGreaterThanOrEqual(84);
    await third.close();
    expect(numberOf(third)).toBe(0);
    await shared(first, second);

    hanging = new Promise((resolve) => (thaw = resolve));
    await expect.poll(() => numberOf(first)).toBe(256);
    // It knows by its own clock that its leases have ended.
    expect(numberOf(second)).toBe(0);
    thaw();
    await shared(first, second);
  });

  it("is given back only when work has ended, and renewed until then", async () => {
    const database = await temporaryDatabase();
    const first = await process(database);
    let end = (): void => {};
    let asked = 0;
    first.onRelease(() => {
      asked++;
      return asked > 1 ? Promise.resolve() : new Promise((resolve) => (end = resolve));
    });
    const second = await process(database);
    await expect.poll(() => asked).toBe(1);
    // Longer than a lease: the second process sees it renewed, again and again.
    const untilMs = performance.now() + 4_000;
    await expect.poll(() => performance.now() > untilMs || numberOf(second) > 0).toBe(true);
    expect([numberOf(first), numberOf(second)]).toEqual([128, 0]);
    end();
    await shared(first, second);
  });
});
