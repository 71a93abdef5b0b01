import { describe, expect, it } from "vitest";
import { Leases } from "../../src/storage/leases.js";
import { RecentBodies } from "../../src/storage/recent-bodies.js";
import { makeDelivery, temporaryStorage } from "../support/temporary-storage.js";

describe("Leases", () => {
  it("end by time and by release", () => {
    let nowMs = 0;
    const leases = new Leases(() => nowMs);
    leases.hold("a", 1, 10);
    leases.hold("a", 2, 20);
    leases.hold("b", 3, 20);
    nowMs = 9;
    expect(leases.held("a")).toEqual([1, 2]);
    nowMs = 10;
    expect(leases.held("a")).toEqual([2]);
    expect(leases.allHeld()).toEqual([2, 3]);
    leases.release("a", 2);
    leases.release("a", 2);
    expect(leases.allHeld()).toEqual([3]);
  });
});

describe("RecentBodies", () => {
  it("hand a body over once", () => {
    const bodies = new RecentBodies();
    const body = Buffer.from("[1]");
    bodies.add(1, body);
    expect(bodies.take(1)).toBe(body);
    expect(bodies.take(1)).toBeUndefined();
  });

  it("keep the oldest when they are full, until there is room again", () => {
    const bodies = new RecentBodies();
    const half = Buffer.alloc(32 * 1024 * 1024);
    for (const id of [1, 2, 3]) bodies.add(id, half);
    expect([3, 1].map((id) => bodies.take(id)?.length)).toEqual([undefined, half.length]);
    bodies.add(4, half);
    expect(bodies.take(4)?.length).toBe(half.length);
    bodies.clear();
    expect(bodies.take(2)).toBeUndefined();
  });
});

describe("claimed deliveries", () => {
  it("have the stored bytes also when nothing of them is in memory", async () => {
    const { storage, clock } = await temporaryStorage();
    const { id } = await storage.applications.create({ name: "shop" });
    const body = Buffer.from(JSON.stringify([{ text: "h\u00e9 \ud83d\udd12" }]));
    await makeDelivery(storage, id, body);
    await storage.applications.update(id, { name: "other" });
    const options = { limit: 1, now: clock.now, leaseMs: 1 };
    const [claimed] = await storage.deliveries.claim(id, options);
    const toSend = claimed && (await storage.deliveries.bodyToSend(claimed));
    expect(Buffer.from(toSend ?? [])).toEqual(body);
  });

  it("have no body once they were erased", async () => {
    const { storage, clock } = await temporaryStorage();
    const { id } = await storage.applications.create({ name: "shop" });
    const delivery = await makeDelivery(storage, id);
    await storage.deliveries.cancel(id);
    await storage.prune({ deliveriesBefore: clock.now + 1 });
    expect(await storage.deliveries.bodyToSend(delivery)).toBeUndefined();
  });
});

describe("the revision", () => {
  it("changes with what decides over deliveries, and not with attempts", async () => {
    const { storage } = await temporaryStorage();
    const { id } = await storage.applications.create({ name: "shop" });
    const delivery = await makeDelivery(storage, id);
    const before = storage.revision();
    const attempt = { startedAt: 1, durationMs: 1, status: 500, error: null };
    await storage.deliveries.recordAttempts([
      {
        delivery,
        attempt: { ...attempt, location: null, excerpt: null },
        result: { state: "dead" },
      },
    ]);
    expect(storage.revision()).toBe(before);
    const changes: (() => Promise<unknown>)[] = [
      () => storage.applications.update(id, { name: "other" }),
      () => storage.applications.disable(id, "x"),
      () => storage.applications.enable(id),
      () => storage.applications.rotateSecret(id),
      () => storage.deliveries.cancel(id),
      () => storage.applications.delete(id),
    ];
    for (const change of changes) {
      const earlier = storage.revision();
      await change();
      expect(storage.revision()).not.toBe(earlier);
    }
  });
});
