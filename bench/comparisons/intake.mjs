#!/usr/bin/env node
// Measures how many events a service accepts, evaluates and delivers, and what one costs.
//
//   node bench/comparisons/intake.mjs                      one process, batches of 100, delivered
//   node bench/comparisons/intake.mjs processes=4 batch=1 deliver=0
//   node bench/comparisons/intake.mjs root=../before       a checkout that is built, for pairs of runs
import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { openSite } from "../intake/site.mjs";
import { startUsage } from "../intake/usage.mjs";

const DEFAULTS = {
  root: new URL("../..", import.meta.url).pathname,
  /** `postgres` or `sqlite`; the latter has one process. */
  database: "postgres",
  processes: 1,
  /** Events in a report. */
  batch: 100,
  senders: 32,
  seconds: 5,
  /** Ends the load early; 0 for no such limit. */
  events: 0,
  /** Events per second of all senders; 0 for as many as are accepted. */
  rate: 0,
  /** 0 for applications without an endpoint. */
  deliver: 1,
  applications: 8,
  /** Delay on the way to PostgreSQL and back, in milliseconds. */
  delay: 0,
  /** Part of a core that each process may use, where control groups can be written; 0 for no limit. */
  quota: 0,
  /** Kind of the events; `auth_bruteforce` opens an incident for each account. */
  kind: "location",
  accounts: 10_000,
  /** Seconds after the load until the run is given up. */
  patience: 120,
  /** Folder for CPU profiles of the processes. */
  profile: "",
};

/** Most events of a run. */
const MOST = 8_000_000;
const POLL_MS = 200;

const settings = readSettings(process.argv.slice(2));
const site = await openSite(settings);
const arrivals = {
  /** By event: whether it was accepted, and how often it arrived. */
  accepted: new Uint8Array(new SharedArrayBuffer(MOST)),
  received: new Uint8Array(new SharedArrayBuffer(MOST)),
  /** Events accepted, events received, requests with a wrong signature, events out of order. */
  counts: new Int32Array(new SharedArrayBuffer(16)),
};
try {
  const endpoint = startWorker("endpoint.mjs", { ...settings, ...arrivals });
  const { port } = await messageOf(endpoint);
  const applications = await site.addApplications(`http://127.0.0.1:${port}`);
  endpoint.postMessage(
    applications.map(({ secret }) => secret),
    [],
  );
  console.table(await measure(applications));
  await endpoint.terminate();
} finally {
  await site.close();
  rmSync(site.directory, { recursive: true, force: true });
}

/** @param {import("../intake/site.mjs").ReportingApplication[]} applications */
async function measure(applications) {
  const { counts } = arrivals;
  const usage = await startUsage(site);
  const startMs = performance.now();
  const load = startWorker("load.mjs", {
    ...settings,
    ...arrivals,
    urls: site.urls,
    keys: applications.map(({ key }) => key),
  });
  /** @type {number[]} */
  const lagsMs = [];
  let loaded = /** @type {{ ms: number, failures: Record<string, number> } | undefined} */ (
    undefined
  );
  void messageOf(load).then((message) => (loaded = message));
  let detectedMs = 0;
  let deliveredMs = 0;
  const giveUpMs = startMs + (settings.seconds + settings.patience) * 1e3;
  while (performance.now() < giveUpMs) {
    const lagMs = await site.lagMs();
    if (!loaded) lagsMs.push(lagMs);
    const nowMs = performance.now() - startMs;
    if (loaded && lagMs === 0) detectedMs ||= nowMs;
    const isDelivered = !settings.deliver || count(1) >= count(0);
    if (loaded && isDelivered) deliveredMs ||= nowMs;
    if (detectedMs > 0 && deliveredMs > 0) break;
    await pause(POLL_MS);
  }
  lagsMs.sort((one, other) => one - other);
  const events = count(0);
  const figures = {
    "accepted/s": (events / (loaded?.ms ?? Infinity)) * 1e3,
    "detected/s": (events / (detectedMs || Infinity)) * 1e3,
    "delivered/s": settings.deliver ? (events / (deliveredMs || Infinity)) * 1e3 : 0,
    "detection lag p50 ms": lagsMs[Math.floor(lagsMs.length * 0.5)] ?? 0,
    "detection lag p99 ms": lagsMs[Math.floor(lagsMs.length * 0.99)] ?? 0,
    "until detected ms": detectedMs - (loaded?.ms ?? 0),
    events,
    lost: settings.deliver ? missing((at) => arrivals.received[at] === 0) : 0,
    twice: arrivals.received.reduce((sum, one) => sum + (one > 1 ? 1 : 0), 0),
    "wrong signatures": count(2),
    "out of order": count(3),
    ...(await usage.figures(events)),
    ...loaded?.failures,
  };
  await load.terminate();
  return Object.fromEntries(
    Object.entries(figures).map(([name, figure]) => [
      name,
      Math.abs(figure) < 10 ? Number(figure.toFixed(2)) : Math.round(figure),
    ]),
  );

  /** @param {number} index */
  function count(index) {
    return Atomics.load(counts, index);
  }
}

/** @param {(at: number) => boolean} isMissing */
function missing(isMissing) {
  return arrivals.accepted.reduce((sum, one, at) => sum + (one > 0 && isMissing(at) ? 1 : 0), 0);
}

/** @param {string} name @param {object} workerData */
function startWorker(name, workerData) {
  return new Worker(new URL(`../intake/${name}`, import.meta.url), { workerData });
}

/** @param {Worker} worker @returns {Promise<any>} */
function messageOf(worker) {
  return new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
}

/** @param {readonly string[]} given `name=value` */
function readSettings(given) {
  /** @type {Record<string, string | number>} */
  const read = { ...DEFAULTS };
  for (const one of given) {
    const [name = "", value = ""] = one.split(/=(.*)/s);
    const known = read[name];
    if (known === undefined || (typeof known === "number" && !(Number(value) >= 0))) {
      console.error(`unknown setting "${one}"; known are ${Object.keys(DEFAULTS).join(", ")}`);
      process.exit(2);
    }
    read[name] = typeof known === "number" ? Number(value) : value;
  }
  return /** @type {typeof DEFAULTS} */ (read);
}
