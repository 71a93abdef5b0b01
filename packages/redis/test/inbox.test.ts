import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { describe, it, type TestContext } from "vitest";
import { createRedisInbox, type RedisInbox, type RedisInboxOptions } from "../src/inbox.js";
import {
  type App,
  type AppSettings,
  type HandlerLog,
  openLog,
  payloadsOf,
  startApp,
} from "./support/app.js";
import { type OpenClient, openClient } from "./support/clients.js";
import { hasRedis, type RedisServer, startRedis } from "./support/redis-server.js";

const EMPTY = { waiting: 0, active: 0, delayed: 0, parked: 0 };

const idsOf = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${index}`);

/** What the test of one case has to itself. */
interface World {
  readonly server: RedisServer;
  readonly log: HandlerLog;
  readonly name: string;
  /** Start an application as a process of its own. */
  readonly start: (settings?: Partial<AppSettings>) => Promise<App>;
  /** The same inbox seen from the process of the test, which handles nothing. */
  readonly look: (options?: Partial<RedisInboxOptions>) => Promise<RedisInbox>;
  readonly send: OpenClient["send"];
}

type Finish = TestContext["onTestFinished"];

/** Start a Redis; everything ends with the test, the latest first. */
async function open(
  { onTestFinished }: { readonly onTestFinished: Finish },
  settings: Record<string, string> = {},
): Promise<World> {
  const server = await startRedis(settings);
  onTestFinished(async () => server.close());
  const log = openLog();
  onTestFinished(() => log.close());
  const { client, send, close } = await openClient(server.url);
  onTestFinished(close);
  const name = randomUUID();
  return {
    server,
    log,
    name,
    send,
    async start(more = {}) {
      const app = await startApp({ url: server.url, name, log: log.path, seen: true, ...more });
      onTestFinished(async () => void (await app.kill()));
      return app;
    },
    async look(options = {}) {
      const inbox = createRedisInbox(client, { name, work: false, onError() {}, ...options });
      onTestFinished(async () => inbox.close());
      return inbox;
    },
  };
}

const REDIS_CLIENTS = ["ioredis", "redis"] as const;

describe
  .skipIf(!hasRedis)
  .concurrent("a webhook behind a Redis inbox (without redis-server: skipped)", () => {
    it.for(REDIS_CLIENTS)(
      "INB-01 answers 503 while Redis is frozen, with %s",
      async (client, context) => {
        const { expect } = context;
        const { server, log, start } = await open(context);
        const app = await start({ patient: false, client });
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
        const { server, log, start } = await open(context);
        await server.kill();
        const app = await start({ patient: false, client });
        expect((await app.post(payloadsOf(["early"]))).status).toBe(503);
        await server.start();
        await expect.poll(async () => (await app.post(payloadsOf(["late"]))).status).toBe(202);
        await expect.poll(() => log.ends().has("late")).toBe(true);
      },
    );

    it("INB-03 loses nothing that it accepted when Redis restarts", async (context) => {
      const { expect } = context;
      const { server, log, start } = await open(context);
      const app = await start({ patient: false });
      const accepted: string[] = [];
      const statuses = new Set<number | undefined>();
      const send = async (at: number): Promise<void> => {
        const ids = idsOf(`batch-${at}`, 5);
        const { status } = await app.post(payloadsOf(ids));
        statuses.add(status);
        if (status === 202) accepted.push(...ids);
      };
      let sent = 0;
      const sending: Promise<void>[] = [];
      const timer = setInterval(() => sending.push(send(sent++)), 20);
      await expect.poll(() => accepted.length).toBeGreaterThan(50);
      await server.kill("SIGTERM");
      await expect.poll(() => statuses.has(503)).toBe(true);
      await server.start();
      const before = accepted.length;
      await expect.poll(() => accepted.length).toBeGreaterThan(before + 50);
      clearInterval(timer);
      await Promise.all(sending);
      expect([...statuses].filter((status) => status !== 202 && status !== 503)).toEqual([]);
      await expect.poll(() => accepted.filter((id) => !log.ends().has(id))).toEqual([]);
    });

    it.for(REDIS_CLIENTS)(
      "INB-04 handles after a restart what was accepted before kill -9, with %s",
      async (client, context) => {
        const { expect } = context;
        const { log, start, look } = await open(context);
        const ids = idsOf("slow", 10);
        const first = await start({ client, slowMs: 60_000 });
        expect((await first.post(payloadsOf(ids))).status).toBe(202);
        await expect.poll(() => log.starts().size).toBe(1);
        await first.kill();
        await start({ client, slowMs: 1 });
        await expect.poll(() => log.ends().size).toBe(10);
        await expect.poll(async () => (await look()).counts()).toEqual(EMPTY);
      },
    );

    it("INB-05 tries one failing element 5 times, and the others once", async (context) => {
      const { expect } = context;
      const { log, start, look } = await open(context);
      const app = await start();
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
      const { log, name, start, look, send } = await open(context);
      const app = await start();
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

    it("INB-07 parks an element that ends the process 5 times, and only that", async (context) => {
      const { expect } = context;
      const { log, start, look } = await open(context);
      const ids = [...idsOf("good", 5), "kill-0", ...idsOf("fine", 4)];
      const others = idsOf("other", 20);
      let app = await start({ seen: false });
      expect((await app.post(payloadsOf(ids))).status).toBe(202);
      const inbox = await look();
      for (let deaths = 0; deaths < 5; deaths++) {
        await app.ended;
        app = await start({ seen: false });
      }
      expect((await app.post(payloadsOf(others))).status).toBe(202);
      await expect.poll(async () => inbox.counts()).toEqual({ ...EMPTY, parked: 1 });
      expect(log.starts().get("kill-0")).toBe(5);
      const ended = log.ends();
      expect([...ids, ...others].filter((id) => !ended.has(id))).toEqual(["kill-0"]);
      expect(await inbox.parked()).toMatchObject([{ delivery: { firstIndex: 5 } }]);
    });

    it("INB-08 lets another process take over from one that died", async (context) => {
      const { expect } = context;
      const { log, start } = await open(context);
      const dying = await start({ slowMs: 60_000 });
      const ids = idsOf("slow", 10);
      for (const id of ids) expect((await dying.post(payloadsOf([id]))).status).toBe(202);
      await expect.poll(() => log.starts().size).toBe(10);
      await start({ slowMs: 1 });
      await dying.kill();
      await expect.poll(() => log.ends().size).toBe(10);
    });

    it.for(REDIS_CLIENTS)(
      "INB-09 ends after SIGTERM, and nothing is lost, with %s",
      async (client, context) => {
        const { expect } = context;
        const { log, start } = await open(context);
        const app = await start({ client, slowMs: 20 });
        const ids = idsOf("slow", 100);
        for (let at = 0; at < 100; at += 5) {
          expect((await app.post(payloadsOf(ids.slice(at, at + 5)))).status).toBe(202);
        }
        const startedMs = performance.now();
        expect(await app.kill("SIGTERM")).toBe(0);
        expect(performance.now() - startedMs).toBeLessThan(10_000);
        const begun = log.starts();
        expect([...begun.keys()].filter((id) => !log.ends().has(id))).toEqual([]);
        await start({ client, slowMs: 1 });
        await expect.poll(() => log.ends().size).toBe(100);
        expect([...log.starts().values()].every((count) => count === 1)).toBe(true);
      },
    );

    it.for<[string, Record<string, string>, RegExp]>([
      ["no append-only file", { appendonly: "no" }, /append-only/],
      ["another eviction policy", { "maxmemory-policy": "allkeys-lru" }, /allkeys-lru/],
    ])("INB-10 warns of %s, and refuses it if strict", async ([, settings, message], context) => {
      const { expect } = context;
      const { look } = await open(context, settings);
      const warned = once(process, "warning") as Promise<[Error]>;
      await (await look()).ready();
      const [warning] = await warned;
      expect(warning).toMatchObject({ code: "RISKGATE_REDIS_NOT_DURABLE", message });
      const strict = await look({ strict: true });
      await expect(strict.ready()).rejects.toMatchObject({ code: "CONFIG_INVALID", message });
      const delivery = { body: Buffer.from("[{}]"), secretId: "0" };
      await expect(strict.accept(delivery)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    });

    it("INB-11 never gives one event to two of three processes at a time", async (context) => {
      const { expect } = context;
      const { log, start, look } = await open(context);
      const apps = await Promise.all([start(), start(), start()]);
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
      const { server, log, start, look } = await open(context);
      const app = await start({ patient: false, work: false });
      const accepted: string[] = [];
      for (let round = 0; round < 3; round++) {
        const big = idsOf(`round-${round}-${"x".repeat(2_000)}`, 1_000);
        const posting = app.post(payloadsOf(big));
        await new Promise((resolve) => setTimeout(resolve, round * 10));
        await server.kill();
        await server.start();
        if ((await posting).status === 202) accepted.push(...big);
      }
      await start();
      const inbox = await look();
      await expect.poll(async () => inbox.counts()).toEqual(EMPTY);
      const ended = log.ends();
      expect(accepted.filter((id) => !ended.has(id))).toEqual([]);
      expect(ended.size % 1_000).toBe(0);
    });

    it("INB-13 handles payloads without an id each time they come", async (context) => {
      const { expect } = context;
      const { log, name, start, send } = await open(context);
      const app = await start();
      const payloads = [
        { service_payload_type: "of_the_test", note: "same" },
        { service_payload_type: "of_the_test", note: "same" },
      ];
      for (let count = 0; count < 2; count++) expect((await app.post(payloads)).status).toBe(202);
      await expect.poll(() => log.ends().get("same")).toBe(4);
      expect(await send("KEYS", `{${name}}:seen:*`)).toEqual([]);
    });
  });
