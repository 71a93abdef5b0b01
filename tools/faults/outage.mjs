import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createGate, createRiskClient, createVelocity } from "@riskgate/core";
import { createRedisCache, createRedisVelocityStore } from "@riskgate/redis";
import { createFakeService } from "@riskgate/testing";
import { Redis } from "ioredis";
import { RedisServer } from "./redis-server.mjs";
import { ServiceCluster } from "./service-cluster.mjs";
import { SlowLink } from "./slow-link.mjs";

const PER_SECOND = 100;
const DELAY_MS = 300;
/** Limit on a quiet machine; on a busy one, only a service that never recovers takes longer. */
const RECOVERY_MS = { long: 5_000, short: 25_000 };
const NEVER_MS = 30_000;
/** Added to the p99 of a healthy server on a quiet machine. Waiting for an unavailable server takes 5 s. */
const ADDED_MS = { long: 120, short: 4_000 };

/**
 * A server whose failure and recovery the scenario controls.
 *
 * @typedef {object} Server
 * @property {(ms: number) => void} delay
 * @property {() => void} freeze
 * @property {() => void} thaw
 * @property {() => Promise<void>} kill
 * @property {() => Promise<void>} start
 */

/** @type {import("./run.mjs").Scenario} */
export const outage = {
  name: "outage",
  about: "Redis behind a gate, PostgreSQL behind a service: slow, frozen, and stopped under load",
  stores: ["redis", "postgres"],
  async run({ store, isLong, scale }) {
    const phaseMs = isLong ? 20_000 * scale : 2_000;
    const { failed, p99Ms, recoveryMs } = await (store === "redis"
      ? gateOnRedis(phaseMs)
      : serviceOnPostgres(phaseMs));
    const limit = (p99Ms["healthy"] ?? 0) + (isLong ? ADDED_MS.long : ADDED_MS.short);
    const broken = [];
    if (failed > 0) broken.push(`${failed} requests failed`);
    for (const [phase, ms] of Object.entries(p99Ms)) {
      if (ms > limit) broken.push(`p99 of ${ms} ms while it was ${phase}`);
    }
    for (const [phase, ms] of Object.entries(recoveryMs)) {
      if (ms > RECOVERY_MS[isLong ? "long" : "short"])
        broken.push(`not used ${ms} ms after it was ${phase}`);
    }
    return { figures: { failed, p99Ms, recoveryMs }, broken };
  },
};

/** Runs a gate whose cache and counts are in Redis. @param {number} phaseMs */
async function gateOnRedis(phaseMs) {
  const directory = mkdtempSync(join(tmpdir(), "riskgate-outage-"));
  const redis = await RedisServer.open(directory);
  const link = await SlowLink.open(redis.port);
  const service = await createFakeService({ otherwise: { risk_score: 7 } });
  const connection = new Redis({ host: "127.0.0.1", port: link.port }).on("error", () => {});
  const onError = () => {};
  const store = createRedisCache(connection, { onError });
  const { baseUrl, apiKey } = service;
  const client = createRiskClient({ baseUrl, apiKey, cache: { store } });
  const velocity = createVelocity({ store: createRedisVelocityStore(connection, { onError }) });
  const gate = createGate({ lookup: client, velocity, onError });
  let visitors = 0;
  try {
    return await suffer(redisServer(redis, link), phaseMs, {
      async request() {
        const facts = { ip: "8.8.8.8", email: `visitor-${visitors++}@shop.example` };
        const { ip, email } = await gate.decide(facts);
        return ip.state === "scored" && email.state === "scored";
      },
      isBack: async () => (await store.get("nobody"), true),
    });
  } finally {
    await client.close();
    await service.close();
    connection.disconnect();
    link.close();
    await redis.kill();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** @param {RedisServer} redis @param {SlowLink} link @returns {Server} */
function redisServer(redis, link) {
  return {
    delay: (ms) => void (link.delayMs = ms),
    freeze: () => redis.signal("SIGSTOP"),
    thaw: () => redis.signal("SIGCONT"),
    kill: async () => redis.kill(),
    start: async () => redis.start(),
  };
}

/** Runs lookups at a service whose data is in PostgreSQL. @param {number} phaseMs */
async function serviceOnPostgres(phaseMs) {
  const site = await ServiceCluster.open({ processes: 1, endpoints: 1, isLinked: true });
  try {
    const { link, postgres } = site;
    const [application = ""] = site.applications;
    const keys = `/applications/${application}/keys`;
    const { key } = await site.send(keys, { scope: "lookup" });
    const { key: reportKey } = await site.send(keys, { scope: "report" });
    const { url } = site.anyProcess();
    let reports = 0;
    // Without the database, lookups are refused soon: none is answered without the ledger.
    let isWhole = true;
    /** @type {Server} */
    const server = {
      delay(ms) {
        isWhole = ms === 0;
        if (link) link.delayMs = ms;
      },
      freeze() {
        isWhole = false;
        postgres.signal("SIGSTOP");
      },
      thaw() {
        isWhole = true;
        postgres.signal("SIGCONT");
      },
      async kill() {
        isWhole = false;
        await postgres.kill();
      },
      async start() {
        await postgres.start();
        isWhole = true;
      },
    };
    return await suffer(server, phaseMs, {
      async request() {
        const isAnswered = isWhole;
        const answer = await fetch(`${url}/v1/ips/203.0.113.9`, { headers: { "x-api-key": key } });
        await answer.arrayBuffer();
        return answer.status === 200 || (!isAnswered && answer.status === 503);
      },
      async isBack() {
        const id = `event-${reports++}`;
        const answer = await fetch(`${url}/v1/reports/events`, {
          method: "POST",
          headers: { "x-api-key": reportKey, "content-type": "application/json" },
          body: JSON.stringify([{ id, event_kind: "location", ips: ["203.0.113.9"] }]),
        });
        await answer.arrayBuffer();
        return answer.status === 200;
      },
    });
  } finally {
    await site.close();
  }
}

/**
 * Sends requests at a steady rate while the server fails in several ways.
 *
 * @param {Server} server
 * @param {number} phaseMs
 * @param {{ request: () => Promise<boolean>, isBack: () => Promise<boolean> }} subject
 *   `request` resolves to true if the answer is right, `isBack` if the server is used again.
 */
async function suffer(server, phaseMs, { request, isBack }) {
  let failed = 0;
  /** @type {Record<string, number>} */
  const p99Ms = {};
  /** @type {Record<string, number>} */
  const recoveryMs = {};
  const load = async (/** @type {string} */ phase) => {
    /** @type {number[]} */
    const timesMs = [];
    const asked = [];
    const count = Math.max(1, Math.round((phaseMs * PER_SECOND) / 1_000));
    const startedMs = performance.now();
    for (let number = 0; number < count; number++) {
      const askedMs = performance.now();
      const asking = request().then(
        (isRight) => {
          timesMs.push(performance.now() - askedMs);
          if (!isRight) failed++;
        },
        () => void failed++,
      );
      asked.push(asking);
      await pause(Math.max(0, startedMs + ((number + 1) * 1_000) / PER_SECOND - performance.now()));
    }
    await Promise.all(asked);
    timesMs.sort((one, other) => one - other);
    p99Ms[phase] = Math.round(timesMs[Math.floor(timesMs.length * 0.99)] ?? 0);
  };
  const recover = async (/** @type {string} */ phase) => {
    const startedMs = performance.now();
    while (!(await isBack().catch(() => false))) {
      if (performance.now() - startedMs > NEVER_MS) break;
      await pause(20);
    }
    recoveryMs[phase] = Math.round(performance.now() - startedMs);
  };

  await recover("opened");
  delete recoveryMs["opened"];
  await load("warming up");
  delete p99Ms["warming up"];
  await load("healthy");
  server.delay(DELAY_MS);
  await load("slow");
  server.delay(0);
  await recover("slow");
  server.freeze();
  await load("frozen");
  server.thaw();
  await recover("frozen");
  await server.kill();
  await load("stopped");
  await server.start();
  await recover("stopped");
  return { failed, p99Ms, recoveryMs };
}
