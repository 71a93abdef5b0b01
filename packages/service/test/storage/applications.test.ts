import { describe, expect, it } from "vitest";
import { derivedEntry } from "../../src/model/derived-entry.js";
import { hashApiKey } from "../../src/storage/api-keys.js";
import { makeDelivery, temporaryStorage } from "../support/temporary-storage.js";

const DAY_MS = 86_400_000;
const URL = "https://hooks.example/security";

describe("applications", () => {
  it("are kept with documented defaults", async () => {
    const { storage, clock } = await temporaryStorage();
    const shop = await storage.applications.create({ name: "shop" });

    expect(shop).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
      name: "shop",
      environment: "production",
      kind: "ordinary",
      sharesReports: false,
      webhookUrl: null,
      payloadTypes: ["security_event", "pulse", "security_response", "test"],
      eventKinds: null,
      incidentGenres: null,
      oneTypePerCall: false,
      maxBodyBytes: 5_242_880,
      maxDeliveriesPerMinute: null,
      allowedDestinations: [],
      failingSince: null,
      disabledAt: null,
      disabledReason: null,
      createdAt: clock.now,
    });
    expect(await storage.applications.get(shop.id)).toEqual(shop);
    expect(await storage.applications.list()).toEqual([shop]);
  });

  it("change only where they are told to", async () => {
    const { storage } = await temporaryStorage();
    const shop = await storage.applications.create({ name: "shop", oneTypePerCall: true });
    const changes = {
      webhookUrl: "https://x.test/hook",
      eventKinds: ["xss"],
      maxBodyBytes: 100_000,
    };

    const changed = await storage.applications.update(shop.id, changes);
    expect(changed).toEqual({ ...shop, ...changes });
    expect(await storage.applications.update(shop.id, {})).toEqual(changed);
    expect(await storage.applications.update(shop.id, { eventKinds: null })).toMatchObject({
      eventKinds: null,
      oneTypePerCall: true,
    });
    expect(await storage.applications.update("none", { name: "x" })).toBeUndefined();
  });

  it("lose everything they own when they are deleted", async () => {
    const { storage, clock } = await temporaryStorage();
    const { applications, outbox, deliveries } = storage;
    const [shop, other] = [
      await applications.create({ name: "shop" }),
      await applications.create({ name: "other" }),
    ];
    for (const { id } of [shop, other]) await applications.update(id, { webhookUrl: URL });
    const { key } = await applications.addKey(shop.id);
    await applications.rotateSecret(shop.id);
    for (const { id } of [shop, other]) {
      await outbox.add(id, [{ type: "test", payload: {} }]);
      await deliveries.create(id, [{ body: Buffer.from("[]"), seqs: [] }]);
    }

    const decision = { decidedAt: clock.now, record: {} };
    await storage.decisions.insertNew(shop.id, [{ id: "deleted", ...decision }]);
    await storage.decisions.insertNew("another", [{ id: "kept", ...decision }]);

    const window = { map: "m", key: "a@x.y", value: 1, expiresAt: clock.now + 1 };
    await storage.windows.save(shop.id, [window]);

    expect(await applications.delete(shop.id)).toBe(true);
    expect(await applications.delete(shop.id)).toBe(false);
    expect(await storage.decisions.list({ limit: 9 })).toMatchObject([{ id: "kept" }]);
    expect(await applications.findByKeyHashes([hashApiKey(key)])).toEqual(new Map());
    expect(await applications.secretsOf(shop.id)).toEqual([]);
    for await (const one of storage.windows.load(shop.id)) expect(one).toBeUndefined();
    const entries = [derivedEntry({ type: "test", payload: {} })];
    expect(await storage.log.append([{ applicationId: shop.id, entries }])).toEqual([undefined]);
    expect((await outbox.take(shop.id, 9)).entries).toEqual([]);
    expect((await outbox.backlog()).map(({ applicationId }) => applicationId)).toEqual([other.id]);
    expect(await deliveries.counts()).toMatchObject({ pending: 1, cancelled: 1 });
  });

  it("DSP-22 cancel what is pending when they are disabled", async () => {
    const { storage, clock } = await temporaryStorage();
    const { id } = await storage.applications.create({ name: "shop" });
    const delivery = await makeDelivery(storage, id);
    await storage.outbox.add(id, [{ type: "test", payload: {} }]);

    expect(await storage.applications.disable(id, "failing for 5 days")).toMatchObject({
      disabledAt: clock.now,
      disabledReason: "failing for 5 days",
    });
    expect(await storage.deliveries.get(delivery.id)).toMatchObject({
      state: "cancelled",
      nextAttemptAt: null,
    });
    expect(await storage.outbox.backlog()).toEqual([]);
    expect(await storage.applications.enable(id)).toMatchObject({
      disabledAt: null,
      disabledReason: null,
    });
  });
});

describe("keys", () => {
  it("are shown once and found by their hash", async () => {
    const { storage, clock } = await temporaryStorage();
    const shop = await storage.applications.create({ name: "shop" });
    const first = await storage.applications.addKey(shop.id);
    const second = await storage.applications.addKey(shop.id);

    expect(first.key).toMatch(/^rgk_[\w-]{43}$/);
    expect(first.record).toMatchObject({ hint: first.key.slice(-4), createdAt: clock.now });
    expect(JSON.stringify(await storage.applications.keysOf(shop.id))).not.toContain(
      first.key.slice(0, 30),
    );
    const hashes = [first, second].map(({ key }) => hashApiKey(key));
    expect(await storage.applications.findByKeyHashes([...hashes, "another"])).toEqual(
      new Map(hashes.map((hash) => [hash, shop])),
    );
    expect(await storage.applications.findByKeyHashes([])).toEqual(new Map());
  });

  it("are for lookups or for reports, and never for both", async () => {
    const { storage } = await temporaryStorage();
    const { applications } = storage;
    const shop = await applications.create({ name: "shop" });
    const lookup = await applications.addKey(shop.id);
    const report = await applications.addKey(shop.id, "report");

    expect(report.key).toMatch(/^rgr_[\w-]{43}$/);
    expect((await applications.keysOf(shop.id)).map(({ scope }) => scope)).toEqual([
      "lookup",
      "report",
    ]);
    const find = async ({ key }: { key: string }, scope: "lookup" | "report") =>
      (await applications.findByKeyHashes([hashApiKey(key)], scope)).get(hashApiKey(key))?.id;
    expect(await find(report, "report")).toBe(shop.id);
    expect(await find(report, "lookup")).toBeUndefined();
    expect(await find(lookup, "report")).toBeUndefined();
  });

  it("count no longer once they are revoked", async () => {
    const { storage, clock } = await temporaryStorage();
    const { applications } = storage;
    const { id } = await applications.create({ name: "shop" });
    const { key, record } = await applications.addKey(id);

    expect(await applications.revokeKey("another", record.id)).toBe(false);
    expect(await applications.revokeKey(id, record.id)).toBe(true);
    expect(await applications.revokeKey(id, record.id)).toBe(false);
    expect(await applications.findByKeyHashes([hashApiKey(key)])).toEqual(new Map());
    expect(await applications.keysOf(id)).toEqual([{ ...record, revokedAt: clock.now }]);
  });
});

describe("signing secrets", () => {
  it("overlap after a rotation, the newest first", async () => {
    const { storage, clock } = await temporaryStorage();
    const { id } = await storage.applications.create({ name: "shop" });
    const old = await storage.applications.rotateSecret(id, { value: "hook-secret-1" });
    expect(await storage.applications.secretsOf(id)).toEqual([old]);

    const fresh = await storage.applications.rotateSecret(id, { overlapMs: DAY_MS });
    expect(fresh.value).toMatch(/^[0-9a-f]{64}$/);
    expect(await storage.applications.secretsOf(id)).toEqual([
      { ...fresh, signs: false },
      { ...old, notAfter: clock.now + DAY_MS * 1000, signs: true },
    ]);

    clock.now += DAY_MS * 1000;
    expect(await storage.applications.secretsOf(id)).toEqual([{ ...fresh, signs: true }]);
  });

  it("sign in their order, and at once without an overlap", async () => {
    const { storage, clock } = await temporaryStorage();
    const { applications } = storage;
    const { id } = await applications.create({ name: "shop" });
    const signing = async () =>
      (await applications.secretsOf(id)).find(({ signs }) => signs)?.value;
    await applications.rotateSecret(id, { value: "a" });
    await applications.rotateSecret(id, { value: "b", overlapMs: DAY_MS });
    await applications.rotateSecret(id, { value: "c", overlapMs: 2 * DAY_MS });
    // The one that was never to sign is gone: receivers know of the first and the last.
    expect((await applications.secretsOf(id)).map(({ value }) => value)).toEqual(["c", "a"]);
    clock.now += DAY_MS * 1000;
    expect(await signing()).toBe("a");
    clock.now += DAY_MS * 1000;
    expect(await signing()).toBe("c");

    await applications.rotateSecret(id, { value: "d" });
    await applications.rotateSecret(id, { value: "e", overlapMs: 0 });
    expect((await applications.secretsOf(id)).map(({ value }) => value)).toEqual(["e"]);
  });

  it("sign before the overlap ends once the rotation is finished", async () => {
    const { storage } = await temporaryStorage();
    const { applications } = storage;
    const { id } = await applications.create({ name: "shop" });
    await applications.rotateSecret(id);
    expect(await applications.finishRotation(id)).toBe(false);
    const { value } = await applications.rotateSecret(id);
    const before = storage.revision();
    expect(await applications.finishRotation(id)).toBe(true);
    expect(storage.revision()).not.toBe(before);
    expect(await applications.secretsOf(id)).toMatchObject([{ value, signs: true }]);
    expect(await applications.finishRotation(id)).toBe(false);
  });
});
