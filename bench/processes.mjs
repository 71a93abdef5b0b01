#!/usr/bin/env node
// Reports, deliveries and lookups of the service with one, two and four processes on one PostgreSQL:
// `node bench/processes.mjs [seconds]`, after a build. Every part runs on this machine, and they share
// its cores.
import { availableParallelism } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { ServiceCluster } from "../tools/faults/service-cluster.mjs";
import { latencies } from "./lib/figures.mjs";

const SECONDS = Number(process.argv[2] ?? 15);
const APPLICATIONS = 8;
const SENDERS = 32;
const PER_BATCH = 50;
const LOOKUPS_PER_SECOND = 50;

console.log(`${availableParallelism()} cores\n`);
console.log(
  "| Processes | Events reported/s | Events delivered/s | Lookup p50 ms | Lookup p99 ms |",
);
console.log("| --- | --- | --- | --- | --- |");
for (const processes of [1, 2, 4]) console.log(`| ${(await measure(processes)).join(" | ")} |`);

/** @param {number} processes */
async function measure(processes) {
  const site = await ServiceCluster.open({ processes, endpoints: APPLICATIONS });
  try {
    const [application = ""] = site.applications;
    const { key } = await site.send(`/applications/${application}/keys`, { scope: "lookup" });
    let events = 0;
    const over = new AbortController();
    const report = async (/** @type {number} */ sender) => {
      for (let batch = 0; !over.signal.aborted; batch++) {
        const ids = Array.from({ length: PER_BATCH }, (_, at) => `e-${sender}-${batch}-${at}`);
        const body = ids.map((id) => ({ id, event_kind: "location", ips: ["203.0.113.9"] }));
        await site.send(`/applications/${site.applications[sender % APPLICATIONS]}/events`, body);
        events += PER_BATCH;
      }
    };
    /** @type {number[]} */
    const timesMs = [];
    const lookUp = async () => {
      while (!over.signal.aborted) {
        const startedMs = performance.now();
        const answer = await fetch(`${site.anyProcess().url}/v1/ips/203.0.113.9`, {
          headers: { "x-api-key": key },
        });
        await answer.arrayBuffer();
        timesMs.push(performance.now() - startedMs);
        await pause(1_000 / LOOKUPS_PER_SECOND);
      }
    };
    const startedMs = performance.now();
    const working = [lookUp(), ...Array.from({ length: SENDERS }, (_, sender) => report(sender))];
    await pause(SECONDS * 1_000);
    over.abort();
    await Promise.all(working);
    const reportedS = (performance.now() - startedMs) / 1_000;
    while (site.received.size < events) await pause(20);
    const deliveredS = (performance.now() - startedMs) / 1_000;
    const { p50, p99 } = latencies(timesMs);
    return [
      processes,
      Math.round(events / reportedS),
      Math.round(events / deliveredS),
      (p50 / 1_000).toFixed(2),
      (p99 / 1_000).toFixed(2),
    ];
  } finally {
    await site.close();
  }
}
