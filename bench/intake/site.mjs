import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { PostgresServer } from "../../tools/faults/postgres-server.mjs";
import { SlowLink } from "../../tools/faults/slow-link.mjs";
import { freePort } from "../../tools/free-port.mjs";

const TOKEN = "administration-token-of-a-benchmark";

/** Reception time of the oldest report that detection has not read, in Unix microseconds. */
const OLDEST = `
  select min(received_at) as oldest from (
    select (
      select received_at from log
      where log.application_id = cursors.application_id and log.seq > cursors.position
        and log.cause is null
      order by log.seq limit 1
    ) as received_at
    from cursors where consumer = 'detection'
  ) as waiting
`;

/**
 * @typedef {{ key: string, secret: string }} ReportingApplication
 *
 * @typedef {object} Site processes of the service on a separate database.
 * @property {string} directory
 * @property {readonly string[]} urls
 * @property {readonly number[]} pids
 * @property {number | undefined} databasePid
 * @property {(text: string) => Promise<any[]>} query
 * @property {() => Promise<number>} lagMs
 * @property {(endpoint: string) => Promise<ReportingApplication[]>} addApplications
 * @property {() => Promise<void>} close
 */

/**
 * @param {{ root: string, database: string, processes: number, applications: number, deliver: number,
 *   delay: number, quota: number, profile: string }} settings
 * @returns {Promise<Site>}
 */
export async function openSite({ root, applications, deliver, delay, quota, profile, ...given }) {
  const directory = mkdtempSync(join(tmpdir(), "riskgate-intake-"));
  const isShared = given.database === "postgres";
  const postgres = isShared ? await PostgresServer.open(directory) : undefined;
  const link = postgres && delay > 0 ? await SlowLink.open(postgres.port) : undefined;
  if (link) link.delayMs = delay;
  const database = postgres?.url.replace(`:${postgres.port}`, `:${link?.port ?? postgres.port}`);
  const command = resolve(root, "packages/cli/dist/main.js");
  const services = [];
  for (let n = 0; n < (isShared ? given.processes : 1); n++) {
    const dataDir = join(directory, `data-${n}`);
    services.push(await startService(command, database, dataDir, profile));
    if (quota > 0) limitCpu(services[n]?.child.pid, `riskgate-bench-${n}`, quota);
  }
  const load = createRequire(resolve(root, "packages/service/package.json"));
  const { query, end } = postgres
    ? await connect(load("pg"), postgres.url)
    : openFile(load("libsql"), join(directory, "data-0", "riskgate.db"));
  return {
    directory,
    urls: services.map(({ url }) => url),
    pids: services.flatMap(({ child }) => child.pid ?? []),
    databasePid: postgres?.pid,
    query,
    async lagMs() {
      const [{ oldest }] = await query(OLDEST);
      return oldest === null ? 0 : Math.max(1, Date.now() - Number(oldest) / 1e3);
    },
    async addApplications(endpoint) {
      const [{ adminUrl } = { adminUrl: "" }] = services;
      const made = [];
      for (let n = 0; n < applications; n++) {
        const webhook = { webhookUrl: `${endpoint}/${n}`, allowedDestinations: ["127.0.0.1/32"] };
        const name = `Shop ${n}`;
        const created = await ask(adminUrl, "applications", { name, ...(deliver && webhook) });
        const path = `applications/${created.application.id}/keys`;
        const { key } = await ask(adminUrl, path, { scope: "report" });
        made.push({ key, secret: created.secret });
      }
      return made;
    },
    async close() {
      for (const { child } of services) {
        const gone = once(child, "exit");
        child.kill(profile === "" ? "SIGKILL" : "SIGTERM");
        await gone;
      }
      if (quota > 0) services.forEach((_, n) => rmdirSync(groupOf(`riskgate-bench-${n}`)));
      await end();
      link?.close();
      await postgres?.kill();
    },
  };
}

/** @param {string} command @param {string | undefined} database @param {string} dataDir @param {string} profile */
async function startService(command, database, dataDir, profile) {
  const [port, adminPort] = [await freePort(), await freePort()];
  const profiling = profile === "" ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`];
  const args = [...profiling, command, "serve", `--port=${port}`, `--admin-port=${adminPort}`];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      RISKGATE_ADMIN_TOKEN: TOKEN,
      RISKGATE_DATA_DIR: dataDir,
      ...(database !== undefined && { RISKGATE_DATABASE_URL: database }),
    },
  });
  process.on("exit", () => child.kill("SIGKILL"));
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error("the service does not start");
    await pause(50);
  }
  return { child, url, adminUrl: `http://127.0.0.1:${adminPort}` };
}

/** @param {string} url @param {string} path @param {object} body @returns {Promise<any>} */
async function ask(url, path, body) {
  const answer = await fetch(`${url}/admin/v1/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** @param {any} pg @param {string} connectionString */
async function connect(pg, connectionString) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  // As the service does it: the query for the lag must cost the database nothing.
  await client.query("set enable_bitmapscan = off");
  return {
    query: async (/** @type {string} */ text) => (await client.query(text)).rows,
    end: () => client.end(),
  };
}

/** @param {any} Database @param {string} path */
function openFile(Database, path) {
  const database = new Database(path, { readonly: true });
  return {
    query: async (/** @type {string} */ text) => database.prepare(text).all(),
    end: async () => database.close(),
  };
}

/** @param {number | undefined} pid @param {string} name @param {number} cores */
function limitCpu(pid, name, cores) {
  const folder = groupOf(name);
  mkdirSync(folder, { recursive: true });
  if (existsSync(join(folder, "cpu.max")))
    writeFileSync(join(folder, "cpu.max"), `${cores * 1e5} 100000`);
  else writeFileSync(join(folder, "cpu.cfs_quota_us"), `${cores * 1e5}`);
  writeFileSync(join(folder, "cgroup.procs"), String(pid));
}

/** The control group of a process, of version 1 or 2. @param {string} name */
function groupOf(name) {
  const parent = "/sys/fs/cgroup";
  return existsSync(join(parent, "cpu")) ? join(parent, "cpu", name) : join(parent, name);
}
