import { describe, expect, it } from "vitest";
import type { DispatcherOptions } from "../../src/dispatch/dispatcher.js";
import { systemClock } from "../../src/model/instant.js";
import type { Storage } from "../../src/storage/storage.js";
import { openDispatchRoom } from "../support/dispatch-room.js";
import { idsOf, startReceiver } from "../support/receiver.js";

const POLL = { timeout: 60_000, interval: 5 };

/** The windows of a limit follow the system clock. */
const REAL_TIME: Partial<DispatcherOptions> = {
  clock: systemClock,
  nowMs: () => performance.now(),
};

describe("the limit of an endpoint", () => {
  it("spaces the requests to it, and keeps their order", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    // Five requests a second.
    const settings = { webhookUrl: receiver.url, maxDeliveriesPerMinute: 300, maxBodyBytes: 1_000 };
    const application = await room.addApplication({ ...settings, oneTypePerCall: true });
    const ids = Array.from({ length: 12 }, (_, index) => `e${index}`);
    await room.queue(application, ids, 900);
    const startedMs = performance.now();
    room.start({}, REAL_TIME);
    await expect.poll(() => receiver.requests.length, POLL).toBe(12);
    // The last two wait for the third window.
    expect(performance.now() - startedMs).toBeGreaterThan(1_900);
    expect(receiver.requests.flatMap(idsOf)).toEqual(ids);
  });

  it("applies to retries, too", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    const settings = { webhookUrl: receiver.url, maxDeliveriesPerMinute: 300, maxBodyBytes: 1_000 };
    const { id } = await room.addApplication(settings);
    const bodies = Array.from({ length: 7 }, () => ({ body: Buffer.from("[]"), seqs: [] }));
    for (const delivery of await room.storage.deliveries.create(id, bodies)) {
      const attempt = { startedAt: room.clock(), durationMs: 1, status: 500, error: null };
      const result = { state: "pending", nextAttemptAt: room.clock() } as const;
      await room.storage.deliveries.recordAttempts([
        { delivery, attempt: { ...attempt, location: null, excerpt: null }, result },
      ]);
    }
    const startedMs = performance.now();
    room.start({}, REAL_TIME);
    await expect.poll(() => receiver.requests.length, POLL).toBe(7);
    expect(performance.now() - startedMs).toBeGreaterThan(900);
  });

  it("delays nothing for long if it cannot be read", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    const settings = { webhookUrl: receiver.url, maxDeliveriesPerMinute: 300 };
    const application = await room.addApplication(settings);
    await room.queue(application, ["e0"]);
    let failures = 0;
    const storage: Storage = {
      ...room.storage,
      countRequest(key, allowance) {
        if (failures++ === 0) return Promise.reject(new Error("the table is locked"));
        return room.storage.countRequest(key, allowance);
      },
    };
    room.start({}, { ...REAL_TIME, storage });
    await expect.poll(() => receiver.requests.flatMap(idsOf), POLL).toEqual(["e0"]);
    expect(failures).toBe(2);
  });

  it("is one for a process and its successor on the same storage", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    const settings = { webhookUrl: receiver.url, maxDeliveriesPerMinute: 1, maxBodyBytes: 1_000 };
    const application = await room.addApplication(settings);
    await room.queue(application, ["e0", "e1"], 900);
    const delivered = async () => (await room.storage.deliveries.counts()).delivered;
    const first = room.start({}, REAL_TIME);
    await expect.poll(delivered, POLL).toBe(1);
    await first.close();
    const allowance = { points: 1, duration: 60 };
    const key = `endpoint:${application.id}`;
    expect(await room.storage.countRequest(key, allowance)).toMatchObject({ isRefused: true });
    const second = room.start({}, REAL_TIME);
    second.wake();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(receiver.requests).toHaveLength(1);
  });

  it("delays no close, keeps what waits, and ends when it is lifted", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    const settings = { webhookUrl: receiver.url, maxDeliveriesPerMinute: 1, maxBodyBytes: 1_000 };
    const application = await room.addApplication(settings);
    await room.queue(application, ["e0", "e1", "e2"], 900);
    const dispatcher = room.start({ closeGraceMs: 60_000 }, REAL_TIME);
    await expect.poll(async () => (await room.storage.deliveries.counts()).delivered, POLL).toBe(1);
    await dispatcher.close();
    expect(receiver.requests).toHaveLength(1);
    expect(await room.storage.deliveries.counts()).toMatchObject({ pending: 2, dead: 0 });
    await room.storage.applications.update(application.id, { maxDeliveriesPerMinute: null });
    room.start({}, REAL_TIME);
    await expect.poll(() => receiver.requests.flatMap(idsOf), POLL).toEqual(["e0", "e1", "e2"]);
  });
});
