import { describe, expect, it } from "vitest";
import type { NewLogEntry } from "../../src/model/log-entry.js";
import { temporaryStorage } from "../support/temporary-storage.js";

const reported = (eventId: string | null, n: number): NewLogEntry => ({
  type: "security_event",
  eventId,
  kind: "xss",
  category: "injection",
  occurredAt: n,
  highRisk: true,
  cause: null,
  payload: JSON.stringify({ n }),
});

async function openLog() {
  const { storage, clock } = await temporaryStorage();
  const { log } = storage;
  const { id: shop } = await storage.applications.create({ name: "shop" });
  const { id: forum } = await storage.applications.create({ name: "forum" });
  const numbersIn = async (applicationId: string) =>
    (await log.read(applicationId, 0, 9_999)).map(({ occurredAt }) => occurredAt);
  return { storage, log, clock, shop, forum, numbersIn };
}

describe("log.append", () => {
  it("stores the entries of each application in the order given", async () => {
    const { log, clock, shop, forum, numbersIn } = await openLog();
    const of = (ns: readonly number[]) => ns.map((n) => reported(`e${n}`, n));
    const appended = await log.append([
      { applicationId: shop, entries: of([1, 2]) },
      { applicationId: forum, entries: of([3]) },
      { applicationId: shop, entries: of([4, 5]) },
    ]);
    const seqs = appended.flatMap((one) => one ?? []);
    expect(seqs).toHaveLength(5);
    expect(seqs).toEqual(seqs.toSorted((one, other) => one! - other!));
    await log.append([{ applicationId: shop, entries: of([6]) }]);
    expect(await numbersIn(shop)).toEqual([1, 2, 4, 5, 6]);
    expect(await numbersIn(forum)).toEqual([3]);
    const [first] = await log.read(shop, 0, 1);
    expect(first).toEqual({
      ...reported("e1", 1),
      seq: seqs[0],
      applicationId: shop,
      receivedAt: clock.now,
    });
    expect((await log.read(shop, seqs[1]!, 9)).map(({ occurredAt }) => occurredAt)).toEqual([
      4, 5, 6,
    ]);
  });

  it("stores an id once, within a report, across reports and beside other applications", async () => {
    const { log, shop, forum, numbersIn } = await openLog();
    const given = [reported("a", 1), reported("a", 2), reported(null, 3), reported(null, 4)];
    const [first, second, other] = await log.append([
      { applicationId: shop, entries: given },
      { applicationId: shop, entries: [reported("a", 5), reported("b", 6)] },
      { applicationId: forum, entries: [reported("a", 7)] },
    ]);
    const isStored = (seqs = [] as readonly (number | undefined)[]) =>
      seqs.map((seq) => seq !== undefined);
    expect(isStored(first)).toEqual([true, false, true, true]);
    expect(isStored(second)).toEqual([false, true]);
    expect(isStored(other)).toEqual([true]);
    const again = await log.append([{ applicationId: shop, entries: given }]);
    expect(isStored(again[0])).toEqual([false, false, true, true]);
    expect(await numbersIn(shop)).toEqual([1, 3, 4, 6, 3, 4]);
    expect(await numbersIn(forum)).toEqual([7]);
  });

  it("names an unknown application, and stores what comes with it for others", async () => {
    const { log, shop, numbersIn } = await openLog();
    const entries = [reported("a", 1)];
    const appended = await log.append([
      { applicationId: "0".repeat(24), entries },
      { applicationId: shop, entries },
    ]);
    expect(appended).toEqual([undefined, [expect.any(Number)]]);
    expect(await numbersIn(shop)).toEqual([1]);
    expect(await numbersIn("0".repeat(24))).toEqual([]);
    expect(await log.append([])).toEqual([]);
    expect(await log.append([{ applicationId: shop, entries: [] }])).toEqual([[]]);
  });

  it("keeps the payload text as it is", async () => {
    const { log, shop } = await openLog();
    const payload = '{"a": "\\u0000 \\ud800", "b":1e2,"\u{1f512}":"\u2028\\/"}';
    await log.append([{ applicationId: shop, entries: [{ ...reported("a", 1), payload }] }]);
    expect((await log.read(shop, 0, 9))[0]?.payload).toBe(payload);
  });

  it("keeps the order within each application, however many append at once", async () => {
    const { log, shop, forum, numbersIn } = await openLog();
    const appended = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        log.append([
          { applicationId: n % 2 ? shop : forum, entries: [reported(null, n), reported(null, n)] },
        ]),
      ),
    );
    for (const [n, [seqs]] of appended.entries()) {
      const entries = await log.read(n % 2 ? shop : forum, seqs![0]! - 1, 2);
      expect(entries.map(({ occurredAt }) => occurredAt)).toEqual([n, n]);
    }
    expect(await numbersIn(shop)).toHaveLength(60);
  });
});

describe("log.move", () => {
  it("moves a consumer once, from where it is, at the version and revision that it knows", async () => {
    const { storage, log, shop } = await openLog();
    const { detection: revision } = await storage.revisions();
    const move = (from: number, to: number, version: number) =>
      log.move(shop, "detection", { from, to, version, revision });
    expect(await move(0, 5, 0)).toBe(true);
    expect(await move(0, 6, 1)).toBe(false);
    // Something was stored meanwhile that did not change the position.
    expect(await move(5, 5, 1)).toBe(true);
    expect(await move(5, 6, 1)).toBe(false);
    expect(await log.detected(shop)).toEqual({ position: 5, version: 2 });
    expect(await log.position(shop, "detection")).toBe(5);
    expect(await log.position(shop, "delivery")).toBe(0);
    await storage.erase({ type: "ip", subject: "192.0.2.1" });
    expect(await move(5, 6, 2)).toBe(false);
    expect(await log.position(shop, "detection")).toBe(5);
  });
});

describe("log.lag", () => {
  it("names applications with reported entries, but not for what was derived", async () => {
    const { log, clock, shop, forum } = await openLog();
    const derived = { ...reported(null, 1), cause: 1 };
    await log.append([{ applicationId: forum, entries: [derived] }]);
    expect(await log.lag()).toEqual([]);
    const at = clock.now;
    await log.append([{ applicationId: shop, entries: [reported("a", 1)] }]);
    clock.now += 5;
    const appended = await log.append([{ applicationId: shop, entries: [reported("b", 2)] }]);
    const last = appended[0]?.[0];
    expect(await log.lag()).toEqual([
      { applicationId: shop, oldestAt: at, oldestSeq: expect.any(Number), lastSeq: last },
    ]);
    expect(await log.lag([])).toEqual([]);
    await log.skip(shop, "detection");
    expect(await log.lag()).toEqual([]);
  });

  it("leaves out entries that detection never reads, because they are to be erased", async () => {
    const { storage, log, forum } = await openLog();
    await storage.applications.update(forum, { webhookUrl: "https://hooks.example/security" });
    const appended = await log.append([{ applicationId: forum, entries: [reported("a", 1)] }]);
    const seq = Number(appended[0]?.[0]);
    const subject = { type: "ip", subject: "192.0.2.1" } as const;
    await storage.ledger.record(forum, [{ ...subject, seq, occurredAt: 1, highRisk: true }]);
    await storage.deliveries.create(forum, [{ body: Buffer.from("[]"), seqs: [seq] }]);
    expect(await log.lag()).toHaveLength(1);
    expect(await storage.erase(subject)).toMatchObject({ events: 0, pending: 1 });
    expect(await log.read(forum, 0, 10)).toEqual([]);
    expect(await log.lag()).toEqual([]);
  });
});
