import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as pause } from "node:timers/promises";
import { createRedisInbox } from "@riskgate/redis";
import { createSqliteInbox } from "@riskgate/sqlite";
import { signDelivery } from "@riskgate/testing";
import { Redis } from "ioredis";
import { freePort } from "../free-port.mjs";
import { RedisServer } from "./redis-server.mjs";

const PROGRAM = fileURLToPath(new URL("inbox-app.mjs", import.meta.url));
const SECRET = "secret-of-the-faults";

/** Time after which another process takes over the deliveries of a silent one. */
const LOCK_MS = 2_000;

/** An application with an inbox, its store, a sender and the log of its handlers. */
export class InboxSite {
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #app;
  #isWatched = true;
  /** Number of times that a payload has ended the application. */
  deaths = 0;
  /** Time that each of those restarts took. @type {number[]} */
  restartsMs = [];
  /** Number of answers by status; refused and reset connections by name. @type {Record<string, number>} */
  answers = {};
  /** Ids of acknowledged payloads. @type {string[]} */
  acknowledged = [];
  /** Called with each 202. @type {() => void} */
  onAcknowledged = () => {};

  /** @param {string} store @param {string} base @param {number} port @param {RedisServer | undefined} redis */
  constructor(store, base, port, redis) {
    this.store = store;
    this.base = base;
    this.port = port;
    this.redis = redis;
    this.log = join(base, "handled.txt");
  }

  /** @param {string} store */
  static async open(store) {
    const base = mkdtempSync(join(tmpdir(), "riskgate-faults-"));
    mkdirSync(join(base, "redis"));
    const redis = store === "redis" ? await RedisServer.open(join(base, "redis")) : undefined;
    const site = new InboxSite(store, base, await freePort(), redis);
    writeFileSync(site.log, "");
    await site.start();
    return site;
  }

  /** Starts the application and waits until it listens. If a payload ends it, it is started again. */
  async start() {
    const { store, log, port, redis } = this;
    const directory = join(this.base, "inbox");
    const settings = { store, log, port, directory, url: redis?.url, secret: SECRET };
    const text = JSON.stringify({ ...settings, lockMs: LOCK_MS, backoffMs: 50 });
    const child = spawn(process.execPath, [PROGRAM, text], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#app = child;
    this.#isWatched = true;
    child.once("exit", () => void this.#ended(child));
    await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  }

  /** @param {import("node:child_process").ChildProcess} child */
  async #ended(child) {
    if (!this.#isWatched || this.#app !== child) return;
    this.deaths++;
    const startMs = performance.now();
    await this.start();
    this.restartsMs.push(performance.now() - startMs);
  }

  /** Ends the application; resolves to its exit code. @param {NodeJS.Signals} signal */
  async stop(signal) {
    const child = this.#app;
    this.#isWatched = false;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode;
    const gone = once(child, "exit");
    child.kill(signal);
    const [code] = await gone;
    return code;
  }

  /** Sends one delivery and counts the answer; resolves to true if it is 202. @param {readonly string[]} ids */
  async deliver(ids) {
    const payloads = ids.map((id) => ({ service_payload_type: "of_the_faults", id }));
    const answer = await this.#post(payloads);
    this.answers[answer] = (this.answers[answer] ?? 0) + 1;
    if (answer !== "202") return false;
    this.acknowledged.push(...ids);
    this.onAcknowledged();
    return true;
  }

  /** @param {readonly unknown[]} payloads @returns {Promise<string>} */
  #post(payloads) {
    const { body, headers } = signDelivery(payloads, SECRET);
    const options = { method: "POST", host: "127.0.0.1", port: this.port, agent: false, headers };
    return new Promise((resolve) => {
      request(options)
        .on("error", (error) =>
          resolve("code" in error && error.code === "ECONNREFUSED" ? "refused" : "reset"),
        )
        .on("response", (response) => {
          response.resume();
          resolve(String(response.statusCode));
        })
        .end(body);
    });
  }

  /** Waits until everything is handled or parked; resolves to the number of parked items. */
  async drained() {
    // Only one process opens the file, so the log shows when to stop the application.
    if (this.store === "sqlite") return this.#drainedFile();
    const client = new Redis(this.redis?.url ?? "").on("error", () => {});
    const inbox = createRedisInbox(client, { name: "faults", work: false, onError() {} });
    try {
      for (;;) {
        const { waiting, active, delayed, parked } = await inbox.counts();
        if (waiting + active + delayed === 0) return parked;
        await pause(50);
      }
    } finally {
      await inbox.close();
      client.disconnect();
    }
  }

  async #drainedFile() {
    for (;;) {
      const ended = this.ended();
      const starts = this.starts();
      const isOver = (/** @type {string} */ id) =>
        ended.has(id) || (isPoison(id) && (starts.get(id) ?? 0) >= 5);
      if (this.acknowledged.every(isOver)) break;
      await pause(50);
    }
    await pause(200);
    await this.stop("SIGTERM");
    const inbox = createSqliteInbox({ directory: join(this.base, "inbox"), onError() {} });
    const { waiting, delayed, parked } = await inbox.counts();
    await inbox.close();
    if (waiting + delayed > 0) throw new Error(`${waiting + delayed} items remain`);
    return parked;
  }

  /** Number of started handlers for each id. */
  starts() {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const line of this.#lines()) {
      if (!line.startsWith("+")) continue;
      const id = line.slice(1);
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  }

  /** Ids that were handled successfully. */
  ended() {
    return new Set(
      this.#lines()
        .filter((line) => line.startsWith("-"))
        .map((line) => line.slice(1)),
    );
  }

  #lines() {
    return readFileSync(this.log, "utf8").split("\n").slice(0, -1);
  }

  async close() {
    await this.stop("SIGKILL");
    await this.redis?.kill();
    rmSync(this.base, { recursive: true, force: true });
  }
}

/** @param {string} id */
export function isPoison(id) {
  return id.startsWith("bad-") || id.startsWith("kill-");
}

/**
 * Counts the fate of everything that was acknowledged.
 *
 * @param {InboxSite} site
 */
export function fate(site) {
  const starts = site.starts();
  const ended = site.ended();
  const good = site.acknowledged.filter((id) => !isPoison(id));
  const moreThanTwice = good.filter((id) => (starts.get(id) ?? 0) > 2).length;
  return {
    acknowledged: site.acknowledged.length,
    lost: good.filter((id) => !ended.has(id)).length,
    moreThanTwice,
  };
}
