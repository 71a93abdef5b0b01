import { randomUUID } from "node:crypto";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { Redis as Redis5 } from "ioredis5";
import { createClient } from "redis";
import { describe, it } from "vitest";
import type { RedisClient } from "../../src/client.js";
import { createRedisInbox } from "../../src/inbox.js";
import { payloadsOf } from "../support/app.js";
import { hasRedis, startRedis } from "../support/redis-server.js";
import { processCases } from "../support/process-cases.js";
import { EMPTY, idsOf, openWorld } from "../support/world.js";

/** Where each element is to be handled once: no lock ends while its handler runs on a busy machine. */
const LASTING = { lockMs: 30_000 };

const REDIS_CLIENTS = ["ioredis", "redis"] as const;

describe
  .skipIf(!hasRedis)
  .concurrent("a webhook behind a Redis inbox (without redis-server: skipped)", () => {
    it.for(REDIS_CLIENTS)(
      "INB-01 answers 503 while Redis is frozen, with %s",
      async (client, context) => {
        const { expect } = context;
        const { server, log, open } = await openWorld(context);
        const app = await open({ patient: false, client });
        await expect.poll(async () => (await app.post(payloadsOf(["first"]))).status).toBe(202);
        server.freeze();
        for (const id of ["second", "third"]) {
          const answer = await app.post(payloadsOf([id]));
          expect(answer).toMatchObject({ status: 503, retryAfter: expect.any(String) as string });
          expect(answer.text).toContain("INBOX_UNAVAILABLE");
        }
        server.thaw();
        await expect.poll(async () => (await app.post(payloadsOf(["last"]))).status).toBe(202);
        await expect.poll(() => log.ends().has("last")).toBe(true);
      },
    );

    it.for(REDIS_CLIENTS)(
      "INB-02 starts without Redis, and accepts once it is there, with %s",
      async (client, context) => {
        const { expect } = context;
        const { server, log, open } = await openWorld(context);
        await server.kill();
        const app = await open({ patient: false, client });
        expect((await app.post(payloadsOf(["early"]))).status).toBe(503);
        await server.start();
        await expect.poll(async () => (await app.post(payloadsOf(["late"]))).status).toBe(202);
        await expect.poll(() => log.ends().has("late")).toBe(true);
      },
    );

    it("INB-03 loses nothing that it accepted when Redis restarts", async (context) => {
      const { expect } = context;
      const { server, log, open } = await openWorld(context);
      const app = await open({ patient: false });
      const accepted: string[] = [];
      const statuses = new Set<number | undefined>();
      const send = async (at: number): Promise<void> => {
        const ids = idsOf(`batch-${at}`, 5);
        const { status } = await app.post(payloadsOf(ids));
        statuses.add(status);
        if (status === 202) accepted.push(...ids);
      };
      let sent = 0;
      const over = new AbortController();
      // Each sends when its last one was answered: no machine is too slow for that.
      const sending = Array.from({ length: 4 }, async () => {
        while (!over.signal.aborted) await send(sent++);
      });
      await expect.poll(() => accepted.length).toBeGreaterThan(50);
      await server.kill("SIGTERM");
      await expect.poll(() => statuses.has(503)).toBe(true);
      await server.start();
      const before = accepted.length;
      await expect.poll(() => accepted.length).toBeGreaterThan(before + 50);
      over.abort();
      await Promise.all(sending);
      expect([...statuses].filter((status) => status !== 202 && status !== 503)).toEqual([]);
      await expect.poll(() => accepted.filter((id) => !log.ends().has(id))).toEqual([]);
    });

    it("INB-05 tries one failing element 5 times, and the others once", async (context) => {
      const { expect } = context;
      const { log, open, look } = await openWorld(context);
      const app = await open(LASTING);
      const ids = [...idsOf("good", 4), "bad-0", ...idsOf("fine", 5)];
      expect((await app.post(payloadsOf(ids))).status).toBe(202);
      const inbox = await look();
      await expect.poll(async () => inbox.counts()).toEqual({ ...EMPTY, parked: 1 });
      const expected = ids.map((id) => [id, id === "bad-0" ? 5 : 1]);
      expect(Object.fromEntries(log.starts())).toEqual(Object.fromEntries(expected));
      const [parked] = await inbox.parked();
      expect(parked).toMatchObject({ delivery: { firstIndex: 4 }, reason: /HANDLER_FAILED/ });
    });

    it("INB-06 handles a delivery that comes twice once", async (context) => {
      const { expect } = context;
      const { log, name, open, look, send } = await openWorld(context);
      const app = await open(LASTING);
      const payloads = payloadsOf(idsOf("twice", 10));
      expect((await app.post(payloads)).status).toBe(202);
      expect((await app.post(payloads)).status).toBe(202);
      const inbox = await look();
      await expect.poll(async () => inbox.counts()).toEqual(EMPTY);
      expect([...log.starts().values()]).toEqual(Array.from({ length: 10 }, () => 1));
      const keys = (await send("KEYS", `{${name}}:seen:*`)) as string[];
      expect(keys).toHaveLength(10);
      for (const key of keys) expect(await send("PTTL", key)).toBeGreaterThan(0);
    });

    processCases("ioredis", 2);

    it.for<[string, Record<string, string>, RegExp]>([
      ["no append-only file", { appendonly: "no" }, /append-only/],
      ["another eviction policy", { "maxmemory-policy": "allkeys-lru" }, /allkeys-lru/],
    ])("INB-10 warns of %s, and refuses it if strict", async ([, settings, message], context) => {
      const { expect } = context;
      const { look } = await openWorld(context, settings);
      // The warnings of the other tests that run meanwhile are among them.
      const warnings: Error[] = [];
      const note = (warning: Error): void => void warnings.push(warning);
      process.on("warning", note);
      context.onTestFinished(() => void process.off("warning", note));
      await (await look()).ready();
      const wanted = {
        code: "RISKGATE_REDIS_NOT_DURABLE",
        message: expect.stringMatching(message),
      };
      await expect.poll(() => warnings).toContainEqual(expect.objectContaining(wanted));
      const strict = await look({ strict: true });
      await expect(strict.ready()).rejects.toMatchObject({ code: "CONFIG_INVALID", message });
      const delivery = { body: Buffer.from("[{}]"), secretId: "0" };
      await expect(strict.accept(delivery)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    });

    it("INB-11 never gives one event to two of three processes at a time", async (context) => {
      const { expect } = context;
      const { log, open, look } = await openWorld(context);
      const apps = await Promise.all([open(LASTING), open(LASTING), open(LASTING)]);
      const ids = idsOf("event", 600);
      await Promise.all(
        Array.from({ length: 60 }, async (_, at) => {
          const batch = payloadsOf(ids.slice(at * 10, at * 10 + 10));
          // Twice, at different processes.
          const posts = [apps[at % 3], apps[(at + 1) % 3]].map(async (app) => app?.post(batch));
          for (const answer of await Promise.all(posts)) expect(answer?.status).toBe(202);
        }),
      );
      const inbox = await look();
      await expect.poll(async () => inbox.counts()).toEqual(EMPTY);
      expect(log.ends().size).toBe(600);
      expect([...log.starts().values()].every((count) => count === 1)).toBe(true);
    });

    it("INB-12 stores a delivery of 1,000 whole or not at all when Redis is killed", async (context) => {
      const { expect } = context;
      const { server, log, open, look } = await openWorld(context);
      const app = await open({ patient: false, work: false });
      const accepted: string[] = [];
      for (let round = 0; round < 3; round++) {
        const big = idsOf(`round-${round}-${"x".repeat(2_000)}`, 1_000);
        const posting = app.post(payloadsOf(big));
        await new Promise((resolve) => setTimeout(resolve, round * 10));
        await server.kill();
        await server.start();
        if ((await posting).status === 202) accepted.push(...big);
      }
      await open();
      const inbox = await look();
      await expect.poll(async () => inbox.counts()).toEqual(EMPTY);
      const ended = log.ends();
      expect(accepted.filter((id) => !ended.has(id))).toEqual([]);
      expect(ended.size % 1_000).toBe(0);
    });

    it("INB-13 handles payloads without an id each time they come", async (context) => {
      const { expect } = context;
      const { log, name, open, send } = await openWorld(context);
      const app = await open(LASTING);
      const payloads = [
        { service_payload_type: "of_the_test", note: "same" },
        { service_payload_type: "of_the_test", note: "same" },
      ];
      for (let count = 0; count < 2; count++) expect((await app.post(payloads)).status).toBe(202);
      await expect.poll(() => log.ends().get("same")).toBe(4);
      expect(await send("KEYS", `{${name}}:seen:*`)).toEqual([]);
    });
  });

/** An application that does not care when its client is connected again. */
const PATIENT_MS = 3_600_000;
const retryStrategy = () => PATIENT_MS;

type OpenPatient = (url: string) => readonly [client: RedisClient, close: () => void];

const openIoredis = (client: Redis | Redis5): ReturnType<OpenPatient> => {
  client.on("error", () => {});
  return [client, () => client.disconnect()];
};

const CLIENTS: readonly (readonly [name: string, open: OpenPatient])[] = [
  ["ioredis 6", (url) => openIoredis(new Redis(url, { retryStrategy }))],
  ["ioredis 5", (url) => openIoredis(new Redis5(url, { retryStrategy }))],
  [
    "node-redis 5",
    (url) => {
      const socket = { reconnectStrategy: () => PATIENT_MS };
      const client = createClient({ url, socket }).on("error", () => {});
      client.connect().catch(() => {});
      return [client, () => client.destroy()];
    },
  ],
];

describe.skipIf(!hasRedis)("the queues of an inbox (without redis-server: skipped)", () => {
  it("are those of no other inbox", async (context) => {
    const { expect } = context;
    const { look, name } = await openWorld(context);
    await expect(look({ name: `${name}-suspects` })).rejects.toThrow("-suspects");
  });

  it("are listed with what another program has put there", async (context) => {
    const { expect, onTestFinished } = context;
    const { look, open, name, server } = await openWorld(context);
    await open({ maxAttempts: 1 });
    const queue = new Queue(name, { connection: { url: server.url }, prefix: "{riskgate}" });
    onTestFinished(async () => queue.close());
    await queue.add("x", {});
    const inbox = await look();
    await expect.poll(async () => (await inbox.counts()).parked).toBe(1);
    expect(await inbox.parked()).toMatchObject([{ delivery: { secretId: "" } }]);
  });
});

describe
  .skipIf(!hasRedis)
  .concurrent("an inbox whose Redis was away (without redis-server: skipped)", () => {
    it.for(CLIENTS)(
      "R33 looks for it again, however the application's %s does",
      async ([, openPatient], { expect, onTestFinished }) => {
        const server = await startRedis();
        onTestFinished(async () => server.close());
        const [client, close] = openPatient(server.url);
        onTestFinished(close);
        const inbox = createRedisInbox(client, { name: randomUUID(), onError() {} });
        onTestFinished(async () => inbox.close());
        const accept = async () =>
          inbox.accept({ body: Buffer.from("[{}]"), secretId: "0" }).then(
            () => "stored",
            () => "refused",
          );
        await expect.poll(accept).toBe("stored");
        await server.kill();
        await expect.poll(accept).toBe("refused");
        await server.start();
        await expect.poll(accept).toBe("stored");
      },
    );
  });
