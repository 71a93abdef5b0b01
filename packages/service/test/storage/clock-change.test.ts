import { describe, expect, it } from "vitest";
import { openStorage } from "../../src/storage/open-storage.js";
import { makeDelivery, temporaryDirectory } from "../support/temporary-storage.js";

const START = 1_700_000_000_000_000;
const SECOND = 1_000_000;
const DAY = 86_400 * SECOND;

describe("a storage that is opened after its clock was set", () => {
  it.each([
    ["back by a day", START - DAY, START - DAY + 5 * SECOND],
    ["back by a minute", START - 60 * SECOND, START - 55 * SECOND],
    ["forward by a day", START + DAY, START + 5 * SECOND],
  ])("%s holds nothing back for it", async (_, now, dueAt) => {
    const path = await temporaryDirectory();
    const first = await openStorage(path, { clock: () => START });
    const { id } = await first.applications.create({ name: "Shop" });
    const delivery = await makeDelivery(first, id);
    const attempt = { startedAt: START, durationMs: 1, status: 500, error: null };
    const nextAttemptAt = START + 5 * SECOND;
    await first.deliveries.recordAttempts([
      {
        delivery,
        attempt: { ...attempt, location: null, excerpt: null },
        result: { state: "pending", nextAttemptAt },
      },
    ]);
    await first.close();

    const second = await openStorage(path, { clock: () => now });
    const [due] = await second.deliveries.schedule();
    await second.close();
    expect(due?.nextAttemptAt).toBe(dueAt);
  });
});
