import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import Libsql from "libsql";
import { describe, expect, it } from "vitest";
import type { Attempt, DeliveryRef } from "../../src/model/delivery.js";
import type { Storage } from "../../src/storage/storage.js";
import { storeEvents } from "../support/stored-events.js";
import { temporaryStorage } from "../support/temporary-storage.js";

const EVE = "eve@shop.example";
const BOB = "bob@shop.example";
const NOW = 1_700_000_000_000_000;

const subject = { type: "account", subject: EVE } as const;
const from = (account: string) => ({ humanized_description: `Attack by ${account}.` });

const ATTEMPT: Attempt = {
  startedAt: NOW,
  durationMs: 1,
  status: 400,
  error: null,
  location: null,
  excerpt: null,
};

/** Record an attempt whose answer repeats a text. */
async function end(storage: Storage, delivery: DeliveryRef, excerpt: string) {
  const attempt = { ...ATTEMPT, excerpt };
  await storage.deliveries.recordAttempts([{ delivery, attempt, result: { state: "dead" } }]);
}

async function record(storage: Storage, applicationId: string, id: string, account: string) {
  const event = { id, kind: "xss", category: "injection", occurredAt: NOW, highRisk: true };
  const about = [{ type: "account", subject: account } as const];
  await storeEvents(storage, applicationId, [{ ...event, payload: from(account), about }]);
}

const incident = (applicationId: string, members: object = {}) => ({
  id: "i1",
  applicationId,
  genre: "user_risk_increased" as const,
  subject: EVE,
  startedAt: NOW,
  endedAt: null,
  updatedAt: NOW,
  payload: { humanized_title: `Risk of ${EVE} has increased` },
  state: { accountNames: [EVE, BOB] },
  ...members,
});

async function openShop() {
  const { storage, path } = await temporaryStorage();
  const webhookUrl = "https://hooks.example/security";
  const { id } = await storage.applications.create({ name: "Shop", webhookUrl });
  const queue = async (account: string): Promise<void> =>
    storage.outbox.add(id, [{ type: "pulse", payload: from(account) }]);
  const pack = async (): Promise<readonly DeliveryRef[]> => {
    const from = await storage.log.position(id, "delivery");
    const { entries } = await storage.outbox.take(id, 10);
    const made = await storage.deliveries.create(
      id,
      entries.map(({ seq, payload }) => ({ body: Buffer.from(`[${payload}]`), seqs: [seq] })),
    );
    expect(await storage.outbox.pass(id, from, entries.at(-1)!.seq)).toBe(true);
    return made;
  };
  return { storage, path, id, queue, pack };
}

/** Files of a directory that hold a text. */
async function filesWith(path: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(path)) {
    if ((await readFile(join(path, name))).includes(text)) found.push(name);
  }
  return found;
}

function countRows(path: string, table: string): number {
  const database = new Libsql(join(path, "riskgate.db"), { readonly: true });
  try {
    return database.prepare(`select seq from ${table}`).all().length;
  } finally {
    database.close();
  }
}

describe("erasure for good", () => {
  it("leaves nothing of the subject in the files", async () => {
    const { storage, path, id, queue, pack } = await openShop();
    await record(storage, id, "e1", EVE);
    await queue(EVE);
    for (const delivery of await pack()) await end(storage, delivery, `what about ${EVE}?`);
    await record(storage, id, "e2", BOB);
    await storage.incidents.save([incident(id, { endedAt: NOW })]);
    expect(await filesWith(path, EVE)).not.toEqual([]);
    expect(await storage.erase(subject)).toMatchObject({ deliveries: 2, incidents: 1, pending: 0 });
    expect(await filesWith(path, EVE)).toEqual([]);
    expect(await filesWith(path, BOB)).toEqual(["riskgate.db"]);
  });

  it("lets what is pending go out, and erases it when it has ended", async () => {
    const { storage, path, queue, pack } = await openShop();
    await queue(EVE);
    await queue(BOB);
    const made = await pack();
    await queue(EVE);
    expect(await storage.erase(subject)).toMatchObject({ deliveries: 0, pending: 2 });
    expect(await storage.erasePending()).toBe(0);
    const late = await pack();
    const body = await storage.deliveries.bodyOf(made[0]?.id ?? "");
    expect(Buffer.from(body ?? []).toString()).toContain(EVE);

    for (const delivery of [...made, ...late]) await end(storage, delivery, "no");
    expect(await storage.erasePending()).toBe(2);
    expect((await storage.deliveries.list()).map((one) => one.id)).toEqual([made[1]?.id]);
    expect(await filesWith(path, EVE)).toEqual([]);
    expect(countRows(path, "pending_erasures")).toBe(0);
  });

  it.each([
    ["cancelled", ({ storage, id }: Shop) => storage.deliveries.cancel(id)],
    [
      "cancelled with their endpoint",
      ({ storage, id }: Shop) => storage.applications.disable(id, ""),
    ],
    ["left by their application", ({ storage, id }: Shop) => storage.applications.delete(id)],
  ])("erases what was pending once it is %s", async (_, stop) => {
    const shop = await openShop();
    await shop.queue(EVE);
    await shop.pack();
    await shop.storage.erase(subject);
    await stop(shop);
    expect(await shop.storage.erasePending()).toBe(1);
    expect(await filesWith(shop.path, EVE)).toEqual([]);
  });

  it("takes the name out of an incident that goes on, and erases it when it ends", async () => {
    const { storage, path, id } = await openShop();
    await storage.incidents.save([incident(id)]);
    expect(await storage.erase(subject)).toMatchObject({ incidents: 0, pending: 1 });
    expect(await filesWith(path, EVE)).toEqual([]);
    const [open = incident(id)] = await storage.incidents.list();
    expect(open.state).toEqual({ accountNames: ["[erased]", BOB] });
    // The account is a new one from now on.
    expect(open.subject).not.toContain(EVE);
    await storage.incidents.save([{ ...open, endedAt: NOW }]);
    expect(await storage.erasePending()).toBe(1);
    expect(await storage.incidents.list()).toEqual([]);
  });

  it("empties events of others whose description names the subject", async () => {
    const { storage, path, id } = await openShop();
    await storage.applications.update(id, { webhookUrl: null });
    const event = { id: "e1", kind: "xss", category: "injection", occurredAt: NOW, highRisk: true };
    await storeEvents(storage, id, [{ ...event, payload: from(EVE) }]);
    expect(await storage.erase(subject)).toMatchObject({ events: 1 });
    expect((await storage.events.list())[0]?.payload).toEqual({});
    expect(await filesWith(path, EVE)).toEqual([]);
  });

  it("takes the attempts of deliveries with them, as retention does", async () => {
    const { storage, path, queue, pack } = await openShop();
    await queue(EVE);
    await queue(BOB);
    for (const delivery of await pack()) await end(storage, delivery, "an excerpt");
    expect(countRows(path, "attempts")).toBe(2);
    await storage.erase(subject);
    expect(countRows(path, "attempts")).toBe(1);
    await storage.prune({ deliveriesBefore: NOW + 1 });
    expect(countRows(path, "attempts")).toBe(0);
    expect(await filesWith(path, "an excerpt")).toEqual([]);
  });
});

type Shop = Awaited<ReturnType<typeof openShop>>;
