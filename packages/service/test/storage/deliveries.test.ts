import { join } from "node:path";
import fc from "fast-check";
import Libsql from "libsql";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Attempt, AttemptResult, DeliveryRef, NewDelivery } from "../../src/model/delivery.js";
import { openStorage } from "../../src/storage/open-storage.js";
import type { RetryFilter } from "../../src/storage/delivery-store.js";
import type { Storage } from "../../src/storage/storage.js";
import {
  engine,
  makeDelivery,
  temporaryDirectory,
  temporaryStorage,
} from "../support/temporary-storage.js";

/** Record one attempt, that of a delivery that failed for good unless something else is said. */
const record = async (
  { deliveries }: Storage,
  delivery: DeliveryRef,
  result: AttemptResult = { state: "dead" },
  attempt: Attempt = ATTEMPT,
) => (await deliveries.recordAttempts([{ delivery, attempt, result }]))[0];

const ATTEMPT: Attempt = {
  startedAt: 1_700_000_000_000_000,
  durationMs: 12,
  status: 503,
  error: null,
  location: null,
  excerpt: "busy",
};
const URL = "https://hooks.example/security";
const body = (text: string): Buffer => Buffer.from(text);

async function storageWithShop() {
  const { storage, clock } = await temporaryStorage();
  const { id } = await storage.applications.create({ name: "shop", webhookUrl: URL });
  const claim = (limit = 10) =>
    storage.deliveries.claim(id, {
      limit,
      now: clock.now,
      leaseMs: 30_000,
    });
  return { storage, clock, id, claim };
}

describe("outbox", () => {
  it("gives payloads back in order, by application", async () => {
    const { storage, clock, id } = await storageWithShop();
    const payload = { text: 'h\u00e9llo \u2665 "quoted"' };
    await storage.outbox.add(id, [
      { type: "test", payload },
      { type: "pulse", payload: {} },
    ]);
    const another = await storage.applications.create({ name: "another", webhookUrl: URL });
    await storage.outbox.add(another.id, [{ type: "test", payload: {} }]);
    await storage.outbox.add(id, [{ type: "security_event", payload: {} }]);
    await storage.outbox.add(id, []);

    const { entries } = await storage.outbox.take(id, 2);
    expect(entries.map(({ type }) => type)).toEqual(["test", "pulse"]);
    expect(entries[0]).toMatchObject({ payload: JSON.stringify(payload), queuedAt: clock.now });
    expect(await storage.outbox.backlog()).toContainEqual({
      applicationId: id,
      count: 3,
      oldestQueuedAt: clock.now,
    });

    expect(await storage.outbox.pass(id, 0, entries[1]?.seq ?? 0)).toBe(true);
    expect(await storage.outbox.pass(id, 0, entries[1]?.seq ?? 0)).toBe(false);
    expect((await storage.outbox.take(id, 9)).entries.map(({ type }) => type)).toEqual([
      "security_event",
    ]);
  });

  it("gives the very text that JSON.stringify makes of a payload", async () => {
    const { storage, id } = await storageWithShop();
    const stored = async (payload: object) => {
      await storage.outbox.add(id, [{ type: "test", payload }]);
      const from = await storage.log.position(id, "delivery");
      const { entries } = await storage.outbox.take(id, 9);
      await storage.outbox.pass(id, from, entries.at(-1)!.seq);
      return entries.map((entry) => entry.payload);
    };
    const numbers = { n: [1e21, -1.5e-9, 0.1, 2 ** 53] };
    expect(await stored(numbers)).toEqual([JSON.stringify(numbers)]);
    const texts = { text: "\0 \ud800 \u2028 / \\ \u{1f512}" };
    expect(await stored(texts)).toEqual([JSON.stringify(texts)]);
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (payload) => {
        expect(await stored(payload)).toEqual([JSON.stringify(payload)]);
      }),
    );
  });

  it("reads the kind of an event, and reports a text that is not JSON any more", async () => {
    const path = await temporaryDirectory();
    const before = await openStorage(path);
    const { id } = await before.applications.create({ name: "shop", webhookUrl: URL });
    const kinds = ["xss", undefined, "lfi"];
    await before.outbox.add(
      id,
      kinds.map((kind) => ({ type: "security_event", kind, payload: { event_kind: kind } })),
    );
    await before.close();
    const database = new Libsql(join(path, "riskgate.db"));
    database.exec("update log set payload_json = substr(payload_json, 2) where seq = 3");
    database.close();
    const storage = await openStorage(path);
    onTestFinished(() => storage.close());
    expect((await storage.outbox.take(id, 9)).entries).toMatchObject([
      { kind: "xss", isDamaged: false },
      { kind: undefined, isDamaged: true },
      { kind: "lfi", isDamaged: true },
    ]);
  });

  it("takes more payloads at once than a statement takes rows", async () => {
    const { storage, id } = await storageWithShop();
    const payloads = Array.from({ length: 2_500 }, (_, n) => ({
      type: "test" as const,
      payload: { n },
    }));
    await storage.outbox.add(id, payloads);
    const { entries } = await storage.outbox.take(id, 9_999);
    expect(entries.map(({ payload }) => payload)).toEqual(
      payloads.map(({ payload }) => JSON.stringify(payload)),
    );
  });

  it("takes large payloads in parts, and all of them", async () => {
    const { storage, id } = await storageWithShop();
    const text = "x".repeat(1_048_576);
    const sizes = [...Array<number>(60).fill(0), ...Array<number>(30).fill(text.length)];
    for (let from = 0; from < sizes.length; from += 10) {
      const some = sizes.slice(from, from + 10);
      const payloads = some.map((size) => ({ text: text.slice(0, size) }));
      await storage.outbox.add(
        id,
        payloads.map((payload) => ({ type: "test", payload })),
      );
    }
    const first = await storage.outbox.take(id, 1_000);
    expect(first).toMatchObject({ hasMore: true });
    expect(first.entries).toHaveLength(60 + 23);
    const seq = first.entries.at(-1)?.seq ?? 0;
    await storage.outbox.pass(id, await storage.log.position(id, "delivery"), seq);
    const second = await storage.outbox.take(id, 1_000);
    expect(second).toMatchObject({ hasMore: false });
    expect(second.entries).toHaveLength(7);
  });
});

describe("deliveries", () => {
  // Only SQLite has a bound that a test can set.
  it.skipIf(engine.name === "postgres")("are stored as one, or not at all", async () => {
    const { storage } = await temporaryStorage({ maxBytes: 1_600_000 });
    const { id } = await storage.applications.create({ name: "shop", webhookUrl: URL });
    const payloads = [1, 2].map((n) => ({ type: "test" as const, payload: { n } }));
    await storage.outbox.add(id, payloads);
    const {
      entries: [first],
    } = await storage.outbox.take(id, 1);
    const good = { body: body('[{"n":1}]'), seqs: [first?.seq ?? 0] };
    const without = Array.from({ length: 500_000 }, (_, n) => n);
    const pack = (deliveries: readonly NewDelivery[]) =>
      storage.transaction(async (inner) => {
        expect(await inner.outbox.pass(id, 0, first?.seq ?? 0)).toBe(true);
        return inner.deliveries.create(id, deliveries);
      });
    await expect(pack([good, { ...good, without }])).rejects.toMatchObject({
      code: "STORE_FAILED",
    });
    expect((await storage.outbox.take(id, 9)).entries).toHaveLength(2);
    expect(await storage.deliveries.list()).toEqual([]);

    const [made] = await pack([good]);
    expect(made).toMatchObject({ state: "pending", payloadCount: 1, bodyBytes: 9, attempts: 0 });
    expect((await storage.outbox.take(id, 9)).entries).toHaveLength(1);
  });

  it("are claimed once, oldest first, byte for byte", async () => {
    const { storage, id, claim, clock } = await storageWithShop();
    const whole = Buffer.from([0, 0xff, 0xc3, 0x28, 0x5b]);
    const bodies = [whole.subarray(1, 4), body("[2]"), body("[3]")];
    await storage.deliveries.create(
      id,
      bodies.map((bytes) => ({ body: bytes, seqs: [] })),
    );

    const claimed = await claim(2);
    const toSend = await Promise.all(claimed.map((one) => storage.deliveries.bodyToSend(one)));
    expect(toSend.map((bytes) => Buffer.from(bytes!))).toEqual(bodies.slice(0, 2));
    expect(await claim(2)).toHaveLength(1);
    expect(await claim(2)).toEqual([]);
    expect(await storage.deliveries.schedule()).toEqual([]);

    storage.deliveries.release(claimed.slice(1));
    expect(await storage.deliveries.schedule()).toEqual([
      { applicationId: id, nextAttemptAt: clock.now },
    ]);
    clock.now += 30_000_000;
    expect(await claim()).toHaveLength(3);
  });

  it("wait for their next attempt", async () => {
    const { storage, id, claim, clock } = await storageWithShop();
    const made = await makeDelivery(storage, id);
    await claim();
    const nextAttemptAt = clock.now + 5_000_000;
    const result = { state: "pending", nextAttemptAt } as const;
    await storage.deliveries.recordAttempts([{ delivery: made, attempt: ATTEMPT, result }]);

    expect(await claim()).toEqual([]);
    expect(await storage.deliveries.schedule()).toEqual([{ applicationId: id, nextAttemptAt }]);
    clock.now = nextAttemptAt;
    expect(await claim()).toMatchObject([{ id: made.id, attempts: 1 }]);
  });

  it("are sent now instead of later when they are retried before", async () => {
    const { storage, id, clock } = await storageWithShop();
    const made = await makeDelivery(storage, id);
    const later = clock.now + 3_600_000_000;
    await record(storage, made, { state: "pending", nextAttemptAt: later });
    expect(await storage.deliveries.get(made.id)).toMatchObject({ nextAttemptAt: later });
    expect(await storage.deliveries.retry(made.id)).toMatchObject({
      state: "pending",
      attempts: 1,
      nextAttemptAt: clock.now,
    });
    expect(await storage.deliveries.retry("unknown")).toBeUndefined();
  });

  it("log every attempt, over a retry by hand as well", async () => {
    const { storage, id } = await storageWithShop();
    const made = await makeDelivery(storage, id);
    const { deliveries } = storage;
    await record(storage, made);
    expect(await deliveries.get(made.id)).toMatchObject({ state: "dead", nextAttemptAt: null });

    expect(await deliveries.retry(made.id)).toMatchObject({ state: "pending", attempts: 0 });
    const success = { ...ATTEMPT, status: 204, excerpt: null };
    await record(storage, made, { state: "delivered" }, success);
    expect(await deliveries.attemptsOf(made.id)).toEqual([
      { number: 1, ...ATTEMPT },
      { number: 2, ...success },
    ]);
  });

  it("remember since when an endpoint fails", async () => {
    const { storage, id } = await storageWithShop();
    const made = await makeDelivery(storage, id);
    const recordAt = (startedAt: number, state: "delivered" | "dead") =>
      record(storage, made, { state }, { ...ATTEMPT, startedAt });

    await recordAt(1_000, "dead");
    await storage.deliveries.retry(made.id);
    await recordAt(2_000, "dead");
    expect(await storage.applications.get(id)).toMatchObject({ failingSince: 1_000 });
    await storage.deliveries.retry(made.id);
    await recordAt(3_000, "delivered");
    expect(await storage.applications.get(id)).toMatchObject({ failingSince: null });
  });

  it("DSP-22 stay cancelled while an attempt is under way, unless it arrived", async () => {
    const { storage, id } = await storageWithShop();
    const { deliveries } = storage;
    const failing = await makeDelivery(storage, id);
    const arriving = await makeDelivery(storage, id);
    expect(await deliveries.cancel(id)).toBe(2);
    expect(await deliveries.cancel(id)).toBe(0);
    const states = await deliveries.recordAttempts([
      { delivery: failing, attempt: ATTEMPT, result: { state: "pending", nextAttemptAt: 1 } },
      { delivery: arriving, attempt: ATTEMPT, result: { state: "delivered" } },
    ]);
    expect(states).toEqual(["cancelled", "delivered"]);

    expect((await deliveries.get(failing.id))?.state).toBe("cancelled");
    expect((await deliveries.get(arriving.id))?.state).toBe("delivered");
    expect(await deliveries.attemptsOf(failing.id)).toHaveLength(1);
  });

  it("are listed newest first, by page and state", async () => {
    const { storage, id } = await storageWithShop();
    const made = await storage.deliveries.create(
      id,
      Array.from({ length: 5 }, () => ({ body: body("[]"), seqs: [] })),
    );
    const ids = made.map((delivery) => delivery.id);
    for (const oldest of made.slice(0, 1)) await record(storage, oldest);
    const list = async (filter: object) =>
      (await storage.deliveries.list(filter)).map((delivery) => ids.indexOf(delivery.id));

    expect(await list({})).toEqual([4, 3, 2, 1, 0]);
    expect(await list({ limit: 2 })).toEqual([4, 3]);
    expect(await list({ limit: 2, beforeSeq: made[3]?.seq })).toEqual([2, 1]);
    expect(await list({ state: "dead" })).toEqual([0]);
    expect(await list({ applicationId: "another" })).toEqual([]);
  });

  it("are counted and listed by state", async () => {
    const { storage, id } = await storageWithShop();
    const make = () => makeDelivery(storage, id);
    const cancelled = await make();
    await storage.deliveries.cancel(id);
    const [dead, delivered, pending] = [await make(), await make(), await make()];
    await record(storage, dead);
    await record(storage, delivered, { state: "delivered" });
    expect(await storage.deliveries.counts()).toEqual({
      pending: 1,
      delivered: 1,
      dead: 1,
      cancelled: 1,
    });
    const ids = { pending, delivered, dead, cancelled };
    for (const [state, { id: expected }] of Object.entries(ids)) {
      const listed = await storage.deliveries.list({ state: state as keyof typeof ids });
      expect(listed).toMatchObject([{ id: expected, state }]);
    }
  });

  it("lose their claims when the process that had them is gone", async () => {
    const path = await temporaryDirectory();
    const first = await openStorage(path);
    const { id } = await first.applications.create({ name: "shop" });
    await first.deliveries.create(id, [{ body: body("[]"), seqs: [] }]);
    const now = Date.now() * 1000;
    await first.deliveries.claim(id, { limit: 1, now, leaseMs: 1e9 });
    await first.close();

    const second = await openStorage(path);
    const claimed = await second.deliveries.claim(id, {
      limit: 1,
      now,
      leaseMs: 0,
    });
    await second.close();
    expect(claimed).toHaveLength(1);
  });
});

describe("deliveries that are retried in bulk", () => {
  const ALL = { createdSince: 0, createdBefore: Number.MAX_SAFE_INTEGER, afterSeq: 0 };

  it("are found by state, application and time, and only once", async () => {
    const { storage, clock, id: shop } = await storageWithShop();
    const { deliveries, applications } = storage;
    const webhookUrl = "https://app.example/hook";
    await applications.update(shop, { webhookUrl });
    const { id: other } = await applications.create({ name: "other", webhookUrl });
    const { id: none } = await applications.create({ name: "without a URL" });
    const { id: off } = await applications.create({ name: "off", webhookUrl });
    const startedAt = clock.now;
    for (const id of [shop, shop, other, none, off]) {
      await record(storage, await makeDelivery(storage, id));
      clock.now += 1_000_000;
    }
    await applications.disable(off, "by hand");
    await makeDelivery(storage, shop);
    await deliveries.cancel(shop);

    const retried = async (filter: Partial<RetryFilter>) =>
      (await deliveries.retryAll({ ...ALL, state: "dead", ...filter })).retried;
    expect(await retried({ applicationId: "unknown" })).toBe(0);
    expect(await retried({ createdBefore: startedAt })).toBe(0);
    expect(await retried({ createdSince: startedAt + 2_000_001 })).toBe(0);
    expect(await retried({ createdBefore: startedAt + 1_000_000 })).toBe(1);
    expect(await retried({ applicationId: other })).toBe(1);
    expect(await retried({})).toBe(1);
    expect(await retried({})).toBe(0);
    expect(await retried({ state: "cancelled" })).toBe(1);
    expect(await deliveries.counts()).toMatchObject({ pending: 4, dead: 2, cancelled: 0 });
    expect(await deliveries.list({ state: "pending", applicationId: other })).toMatchObject([
      { attempts: 0, nextAttemptAt: clock.now },
    ]);
  });

  it("are 1,000 at a time, the oldest first, and each in one of concurrent calls", async () => {
    const { storage, id } = await storageWithShop();
    const { deliveries, applications } = storage;
    await applications.update(id, { webhookUrl: "https://app.example/hook" });
    const many = Array.from({ length: 1_100 }, () => ({ body: body("[]"), seqs: [] }));
    const made = await deliveries.create(id, many);
    await deliveries.cancel(id);
    const afterSeq = made.at(999)!.seq;
    const pages = await Promise.all(
      [0, 1].map(() => deliveries.retryAll({ ...ALL, state: "cancelled" })),
    );
    expect(pages).toEqual([
      { retried: 1_000, nextAfterSeq: afterSeq },
      { retried: 100, nextAfterSeq: null },
    ]);
    expect(await deliveries.retryAll({ ...ALL, state: "cancelled", afterSeq })).toEqual({
      retried: 0,
      nextAfterSeq: null,
    });
  });

  it("do not include those that are to be erased, which a single retry refuses as well", async () => {
    const { storage, id } = await storageWithShop();
    const { deliveries } = storage;
    await storage.applications.update(id, { webhookUrl: "https://app.example/hook" });
    const made = await makeDelivery(storage, id, body('[{"ip":"192.0.2.1"}]'));
    expect(await storage.erase({ type: "ip", subject: "192.0.2.1" })).toMatchObject({ pending: 1 });
    expect(await deliveries.retry(made.id)).toMatchObject({ state: "pending" });
    await record(storage, made);
    expect(await deliveries.retryAll({ ...ALL, state: "dead" })).toMatchObject({ retried: 0 });
    expect(await deliveries.retry(made.id)).toBeUndefined();
    expect(await storage.erasePending()).toBe(1);
    expect(await deliveries.get(made.id)).toBeUndefined();
  });
});
