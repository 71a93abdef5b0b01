import { describe, expect, it } from "vitest";
import { createService } from "../../src/service.js";
import { openStorage } from "../../src/storage/open-storage.js";
import type { Storage } from "../../src/storage/storage.js";
import { storagePlace, temporaryDirectory } from "../support/temporary-storage.js";

const NEVER = new AbortController().signal;
const HOUR_MS = 3_600_000;

/** A place for a service that restarts and, each time, runs a task there if it is due. */
async function restarts() {
  const { open } = await storagePlace();
  const clock = { now: 1_700_000_000_000_000 };
  const start = async (work: () => Promise<void>, signal = NEVER): Promise<void> => {
    const storage = await open({ clock: () => clock.now });
    try {
      await storage.runWhenDue("pruning", HOUR_MS, work, signal);
    } finally {
      await storage.close();
    }
  };
  const runs = async (): Promise<boolean> => {
    let hasRun = false;
    await start(async () => void (hasRun = true));
    return hasRun;
  };
  return { clock, start, runs };
}

describe("a due task", () => {
  it("runs at once, and then after its interval, however often the service restarts", async () => {
    const { clock, runs } = await restarts();
    const ran: boolean[] = [];
    for (const afterMs of [0, HOUR_MS - 1, 1, 1]) {
      clock.now += afterMs * 1_000;
      ran.push(await runs());
    }
    expect(ran).toEqual([true, false, true, false]);
  });

  it("runs when the clock was set back", async () => {
    const { clock, runs } = await restarts();
    await runs();
    clock.now -= 10 * HOUR_MS * 1_000;
    expect(await runs()).toBe(true);
  });

  it("remains due if it fails or is stopped", async () => {
    const { start, runs } = await restarts();
    await expect(start(() => Promise.reject(new Error("full")))).rejects.toThrow("full");
    const stopping = new AbortController();
    await start(async () => stopping.abort(), stopping.signal);
    expect(await runs()).toBe(true);
  });
});

describe("a service", () => {
  it("removes what is past its retention soon after each start", async () => {
    const dataDir = await temporaryDirectory();
    const left = async (act: (storage: Storage) => Promise<void>): Promise<number> => {
      const storage = await openStorage(dataDir, { clock: () => 1_700_000_000_000_000 });
      await act(storage);
      const { length } = await storage.decisions.list({ limit: 10 });
      await storage.close();
      return length;
    };
    const add = async (storage: Storage): Promise<void> => {
      const { id } = await storage.applications.create({ name: "Shop" });
      await storage.decisions.insertNew(id, [{ id: "1", decidedAt: 1, record: {} }]);
    };
    expect(await left(add)).toBe(1);
    const service = await createService({ dataDir, retentionDays: 1 });
    // It stops the pruning that has begun only after the first step.
    await service.close();
    expect(await left(async () => {})).toBe(0);
  });
});
