import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleSources } from "../../tools/test/bundle-sources.mjs";
import { makeDelivery } from "../lib/deliveries.mjs";

const { openStorage, createDispatcher } = await import(
  await bundleSources("service", "storage/open-storage.ts", "dispatch/dispatcher.ts")
);

/** Deliveries whose events may wait in the outbox. */
const AHEAD = 4;

/**
 * Put events into an outbox, a thousand at a time, while a dispatcher sends them.
 *
 * @param {{ url: string, events: number }} options
 * @returns Events a second, and memory in the first and in the last tenth: what is left after a
 *   collection, buffers included, and what the process holds.
 */
export default async function flow({ url, events }) {
  const folder = await mkdtemp(join(tmpdir(), "riskgate-bench-"));
  const storage = await openStorage(folder);
  const settings = { name: "Shop", webhookUrl: url, allowedDestinations: ["127.0.0.1"] };
  const { id } = await storage.applications.create(settings);
  await storage.applications.rotateSecret(id);
  const payloads = JSON.parse(Buffer.from(makeDelivery(1_000).body).toString()).map((payload) => ({
    type: "security_event",
    payload,
  }));

  const memory = [];
  let end = (/** @type {Error=} */ _problem) => {};
  const dispatcher = createDispatcher({
    storage,
    onNotice(notice) {
      globalThis.gc?.();
      const { heapUsed, external, rss } = process.memoryUsage();
      memory.push({ kept: heapUsed + external, rss });
      end(notice.state === "delivered" ? undefined : new Error(JSON.stringify(notice)));
    },
  });
  const nextEnd = () =>
    new Promise((resolve, reject) => {
      end = (problem) => (problem ? reject(problem) : resolve(undefined));
    });
  const start = performance.now();
  const deliveries = events / payloads.length;
  for (let queued = 1; queued <= deliveries; queued++) {
    await storage.outbox.add(id, payloads);
    dispatcher.wake();
    const most = queued < deliveries ? AHEAD : 0;
    while (queued - memory.length > most) await nextEnd();
  }
  const seconds = (performance.now() - start) / 1e3;
  await dispatcher.close();
  await storage.close();
  await rm(folder, { recursive: true });

  const tenth = Math.ceil(memory.length / 10);
  const first = mean(memory.slice(0, tenth));
  const last = mean(memory.slice(-tenth));
  return {
    eventsPerSecond: events / seconds,
    firstMiB: first.kept,
    lastMiB: last.kept,
    growthMiB: last.kept - first.kept,
    firstRssMiB: first.rss,
    lastRssMiB: last.rss,
  };
}

/** In MiB. @param {readonly { kept: number, rss: number }[]} samples */
function mean(samples) {
  const of = (name) =>
    samples.reduce((sum, one) => sum + one[name], 0) / samples.length / 1_048_576;
  return { kept: of("kept"), rss: of("rss") };
}
