import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../free-port.mjs";
import { PostgresServer } from "./postgres-server.mjs";
import { SlowLink } from "./slow-link.mjs";

const COMMAND = fileURLToPath(import.meta.resolve("@riskgate/cli/package.json")).replace(
  "package.json",
  "dist/main.js",
);
const TOKEN = "administration-token-of-a-fault-plan";
const ANSWER_MS = 15_000;

/** One `riskgate serve`. */
class ServiceProcess {
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #child;

  /** @param {string} database @param {string} directory @param {number} port @param {number} adminPort @param {string[]} options */
  constructor(database, directory, port, adminPort, options) {
    this.options = options;
    this.database = database;
    this.directory = directory;
    this.port = port;
    this.adminPort = adminPort;
    this.url = `http://127.0.0.1:${port}`;
    this.adminUrl = `http://127.0.0.1:${adminPort}`;
  }

  /** @returns {Promise<void>} */
  async start() {
    this.#child = spawn(
      process.execPath,
      [COMMAND, "serve", `--port=${this.port}`, `--admin-port=${this.adminPort}`, ...this.options],
      {
        stdio: "ignore",
        env: {
          ...process.env,
          RISKGATE_ADMIN_TOKEN: TOKEN,
          RISKGATE_DATA_DIR: this.directory,
          RISKGATE_DATABASE_URL: this.database,
        },
      },
    );
    while (!(await this.isReady())) {
      // It does not start without its database, so start it again like an orchestrator.
      if (this.#child.exitCode !== null) return this.start();
      await pause(50);
    }
  }

  /** Pauses it and then resumes it. @param {number} ms */
  async freeze(ms) {
    this.#child?.kill("SIGSTOP");
    await pause(ms);
    this.#child?.kill("SIGCONT");
  }

  /** @returns {Promise<boolean>} */
  async isReady() {
    return fetch(`${this.url}/readyz`).then(
      async (answer) => (await answer.arrayBuffer(), answer.ok),
      () => false,
    );
  }

  /**
   * @param {"SIGKILL" | "SIGTERM"} signal
   * @returns {Promise<number | null>} The exit code.
   */
  async stop(signal) {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return null;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
    return child.exitCode;
  }
}

/** Several processes of the service on one PostgreSQL, with endpoints that record deliveries. */
export class ServiceCluster {
  /** Arrivals by event: count, time of the first, and the digests of the bodies. */
  received = new Map();
  /** Requests to the administration API that failed, by status or by `broken`. @type {Record<string, number>} */
  failures = {};
  /** @type {string[]} */
  applications = [];
  /** @type {import("node:http").Server | undefined} */
  #receiver;

  /**
   * @param {string} directory
   * @param {PostgresServer} postgres
   * @param {ServiceProcess[]} processes
   * @param {SlowLink | undefined} link
   */
  constructor(directory, postgres, processes, link) {
    this.link = link;
    this.directory = directory;
    this.postgres = postgres;
    this.processes = processes;
  }

  /**
   * @param {{ processes: number, endpoints: number, settings?: object, isLinked?: boolean }} size
   *   `settings` are written to a file; `isLinked` connects PostgreSQL through a link that can be slowed down.
   */
  static async open({ processes: count, endpoints, settings: given = {}, isLinked = false }) {
    const directory = mkdtempSync(join(tmpdir(), "riskgate-cluster-"));
    const postgres = await PostgresServer.open(directory);
    const link = isLinked ? await SlowLink.open(postgres.port) : undefined;
    const url = postgres.url.replace(`:${postgres.port}`, `:${link?.port ?? postgres.port}`);
    const file = join(directory, "settings.json");
    writeFileSync(file, JSON.stringify(given));
    const processes = [];
    for (let n = 0; n < count; n++) {
      const place = join(directory, `${n}`);
      const options = ["--settings", file];
      const process = new ServiceProcess(url, place, await freePort(), await freePort(), options);
      await process.start();
      processes.push(process);
    }
    const cluster = new ServiceCluster(directory, postgres, processes, link);
    const webhook = await cluster.#receive();
    for (let n = 0; n < endpoints; n++) await cluster.addApplication(`${webhook}/${n}`);
    return cluster;
  }

  /** @param {string} webhookUrl */
  async addApplication(webhookUrl) {
    const { application } = await this.send("/applications", {
      name: webhookUrl,
      webhookUrl,
      allowedDestinations: ["127.0.0.1/32"],
      payloadTypes: ["security_event", "security_response"],
    });
    this.applications.push(application.id);
  }

  /**
   * Sends to any process until one accepts, like a client behind a load balancer.
   *
   * @param {string} path @param {unknown} body
   * @returns {Promise<any>}
   */
  async send(path, body) {
    const text = JSON.stringify(body);
    const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
    for (;;) {
      const { adminUrl } = this.anyProcess();
      try {
        const signal = AbortSignal.timeout(ANSWER_MS);
        const answer = await fetch(`${adminUrl}/admin/v1${path}`, {
          method: "POST",
          headers,
          body: text,
          signal,
        });
        const value = await answer.json();
        if (answer.ok) return value;
        this.#fail(String(answer.status));
      } catch {
        this.#fail("broken");
      }
      await pause(50);
    }
  }

  anyProcess() {
    return /** @type {ServiceProcess} */ (
      this.processes[Math.floor(Math.random() * this.processes.length)]
    );
  }

  async #receive() {
    this.#receiver = createServer((request, response) => {
      /** @type {Buffer[]} */
      const chunks = [];
      request.on("data", (chunk) => chunks.push(chunk));
      request.on("end", () => {
        this.#note(Buffer.concat(chunks));
        response.end();
      });
    }).listen(0, "127.0.0.1");
    await once(this.#receiver, "listening");
    const { port } = /** @type {import("node:net").AddressInfo} */ (this.#receiver.address());
    return `http://127.0.0.1:${port}`;
  }

  /** @param {Buffer} body */
  #note(body) {
    const digest = createHash("sha256").update(body).digest("hex");
    for (const payload of JSON.parse(body.toString("utf8"))) {
      const id = payload.event_id ?? payload.id;
      const {
        kind = payload.event_kind ?? "response",
        count = 0,
        digests = new Set(),
        atMs = performance.now(),
      } = this.received.get(id) ?? {};
      this.received.set(id, { kind, count: count + 1, atMs, digests: digests.add(digest) });
    }
  }

  /** @param {string} what */
  #fail(what) {
    this.failures[what] = (this.failures[what] ?? 0) + 1;
  }

  async close() {
    await Promise.all(this.processes.map((process) => process.stop("SIGKILL")));
    await this.postgres.kill();
    this.link?.close();
    this.#receiver?.close();
    this.#receiver?.closeAllConnections();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
