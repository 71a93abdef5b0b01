import { describe, expect, it, onTestFinished } from "vitest";
import { createDispatcher, type Dispatcher } from "../../../src/dispatch/dispatcher.js";
import type { DispatchNotice } from "../../../src/dispatch/dispatch-notice.js";
import { openPostgresStorage } from "../../../src/storage/open-storage.js";
import type { Storage } from "../../../src/storage/storage.js";
import { hasPostgres, temporaryDatabase } from "../../support/postgres.js";
import { startReceiver } from "../../support/receiver.js";

const POLL = { timeout: 60_000, interval: 5 };

interface Sender {
  readonly storage: Storage;
  readonly dispatcher: Dispatcher;
  readonly notices: DispatchNotice[];
}

/** A process: its connections, and its dispatcher for all applications. */
async function startSender(database: string): Promise<Sender> {
  const storage = await openPostgresStorage(database, {});
  const notices: DispatchNotice[] = [];
  const settings = { maxWaitMs: 0, timeoutMs: 60_000, closeGraceMs: 60_000 };
  const onNotice = (notice: DispatchNotice): void => void notices.push(notice);
  const dispatcher = createDispatcher({ storage, settings, onNotice });
  onTestFinished(async () => {
    await dispatcher.close();
    await storage.close();
  });
  return { storage, dispatcher, notices };
}

async function addEndpoint({ storage }: Sender, webhookUrl: string, perMinute: number) {
  const { id } = await storage.applications.create({
    name: "Shop",
    allowedDestinations: ["127.0.0.0/8"],
    webhookUrl,
    maxDeliveriesPerMinute: perMinute,
  });
  await storage.applications.rotateSecret(id, { value: "hook-secret-1" });
  return id;
}

/** Queues deliveries that are due again, which are sent concurrently. */
async function queueRetries({ storage }: Sender, id: string, count: number): Promise<void> {
  const bodies = Array.from({ length: count }, (_, n) => ({
    body: Buffer.from(JSON.stringify([{ event_id: `e${n}` }])),
    seqs: [],
  }));
  const attempt = { startedAt: storage.clock(), durationMs: 1, status: 500, error: null };
  const result = { state: "pending", nextAttemptAt: storage.clock() } as const;
  const created = await storage.deliveries.create(id, bodies);
  await storage.deliveries.recordAttempts(
    created.map((delivery) => ({
      delivery,
      attempt: { ...attempt, location: null, excerpt: null },
      result,
    })),
  );
}

const delivered = async ({ storage }: Sender): Promise<number> =>
  (await storage.deliveries.counts()).delivered;

const title = "the limit of an endpoint in two processes on PostgreSQL";
describe.skipIf(!hasPostgres)(hasPostgres ? title : `${title} (no server: skipped)`, () => {
  it("allows one request a minute, whoever sends it", async () => {
    const database = await temporaryDatabase();
    const receiver = await startReceiver();
    const first = await startSender(database);
    const second = await startSender(database);
    const id = await addEndpoint(first, receiver.url, 1);
    await queueRetries(first, id, 5);
    for (const { dispatcher } of [first, second]) dispatcher.wake();
    await expect.poll(() => delivered(first), POLL).toBe(1);
    const key = `endpoint:${id}`;
    for (const { storage } of [first, second]) {
      const count = await storage.countRequest(key, { points: 1, duration: 60 });
      expect(count).toMatchObject({ isRefused: true });
    }
    // The other one takes over after the first has stopped, and still waits.
    await first.dispatcher.close();
    const third = await startSender(database);
    for (let n = 0; n < 20; n++) {
      for (const { dispatcher } of [second, third]) dispatcher.wake();
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    expect(receiver.requests).toHaveLength(1);
    expect(await third.storage.deliveries.counts()).toMatchObject({ pending: 4, dead: 0 });
    for (const { notices } of [first, second, third]) {
      expect(notices.filter(({ type }) => type === "stalled")).toEqual([]);
    }
  });
});
