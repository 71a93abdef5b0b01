import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleSources } from "../../tools/test/bundle-sources.mjs";
import { makeDelivery } from "../lib/deliveries.mjs";
import { startServer } from "../lib/server.mjs";

/** Parts of the service that it does not export. */
const { openStorage, createDispatcher } = await import(
  await bundleSources("service", "storage/open-storage.ts", "dispatch/dispatcher.ts")
);
const SINK = new URL("../servers/sink.mjs", import.meta.url);

/** Events in distinct bodies; if more are sent, the bodies repeat. */
const MOST_EVENTS = 16_000;

/** Small deliveries that warm up the code of both sides before the measurement. */
const WARM_UP = { rounds: 3, count: 8_000 };

const SECRET = "the-signing-secret";

/** @param {{ quick: boolean }} options */
export function deliveryCases({ quick }) {
  const sizes = quick
    ? [{ events: 1, count: 160, endpoints: 8 }]
    : [
        { events: 1, count: 4_000, endpoints: 1 },
        { events: 1, count: 8_000, endpoints: 8 },
        { events: 100, count: 640, waves: 4, endpoints: 8 },
        { events: 1_000, count: 64, waves: 4, endpoints: 8 },
        { events: 1_000, count: 64, waves: 4, endpoints: 1 },
        { events: 1_000, count: 64, waves: 4, endpoints: 8, readBack: true },
      ];
  const warmUp = quick ? { rounds: 1, count: 160 } : WARM_UP;
  return sizes.map((size) => deliveries(size, warmUp));
}

/**
 * Compares with a loop per endpoint, because the service sends an application's deliveries in order.
 *
 * @param {object} size
 * @param {number} size.events
 * @param {number} size.count Deliveries created at once, before the measurement: no more than the
 *   service keeps in memory, because it creates an application's next ones once these are sent.
 * @param {number} [size.waves] Repetitions within a measurement.
 * @param {number} size.endpoints
 * @param {boolean} [size.readBack] Bodies are only in the database, as after a restart. The loop does
 *   not do that, so this case has no target.
 * @param {typeof WARM_UP} warmUp
 */
function deliveries({ events, count, waves = 1, endpoints, readBack = false }, warmUp) {
  return {
    name: `deliveries of ${events} events, ${endpoints} endpoints${readBack ? ", read back" : ""}`,
    figure: "rps",
    higher: true,
    baseline: "plain loop",
    rounds: 9,
    async open() {
      const sink = await startServer(SINK, "");
      const url = `http://127.0.0.1:${sink.port}/hook`;
      const distinct = Array.from(
        { length: Math.min(count, MOST_EVENTS / events) },
        (_, n) => makeDelivery(events, { series: n }).body,
      );
      const bodies = Array.from({ length: count }, (_, n) => distinct[n % distinct.length]);
      const service = await openDispatcher(url, endpoints, readBack);
      // The loop also writes bodies to a database, although it reads none: a write empties the caches
      // of the processor and keeps the disk busy, and both variants must start like that.
      const shelf = await openShelf(url, endpoints);
      const agent = new Agent({ keepAlive: true });
      const loop = {
        async prepare(/** @type {readonly Uint8Array[]} */ sent) {
          for (const id of shelf.ids) await shelf.storage.deliveries.cancel(id);
          await shelf.fill(sent);
        },
        sendAll: postAll(url, agent, endpoints),
      };
      const small = Array.from({ length: warmUp.count }, () => makeDelivery(1).body);
      const variant = (/** @type {string} */ name, /** @type {Sender} */ sender) => ({
        name,
        measure: () => rateOf(bodies, sender, waves),
        async warmUp() {
          await rateOf(small, sender, warmUp.rounds);
          await rateOf(bodies, sender, 1);
        },
      });
      return {
        variants: [variant("plain loop", loop), variant("riskgate", service)],
        async close() {
          await service.close();
          await shelf.close();
          agent.destroy();
          await sink.stop();
        },
      };
    },
    targets: readBack
      ? []
      : [
          {
            id: "8",
            variant: "riskgate",
            against: "plain loop",
            figure: "rps",
            as: "ratio",
            atLeast: 0.8,
          },
        ],
  };
}

/**
 * @typedef {object} Sender
 * @property {(bodies: readonly Uint8Array[]) => unknown} prepare Runs before the clock starts.
 * @property {(bodies: readonly Uint8Array[]) => Promise<void>} sendAll
 */

/** @param {readonly Uint8Array[]} bodies @param {Sender} sender @param {number} waves */
async function rateOf(bodies, { prepare, sendAll }, waves) {
  let ms = 0;
  let cpuUs = 0;
  for (let wave = 0; wave < waves; wave++) {
    await prepare(bodies);
    const cpuBefore = process.cpuUsage();
    const start = performance.now();
    await sendAll(bodies);
    ms += performance.now() - start;
    const { user, system } = process.cpuUsage(cpuBefore);
    cpuUs += user + system;
  }
  const sent = bodies.length * waves;
  return { rps: (sent / ms) * 1e3, cpuUs: cpuUs / sent };
}

/** @param {string} url @param {Agent} agent @param {number} loops */
function postAll(url, agent, loops) {
  return async (/** @type {readonly Uint8Array[]} */ bodies) => {
    let next = 0;
    const loop = async () => {
      while (next < bodies.length) await post(url, agent, bodies[next++]);
    };
    await Promise.all(Array.from({ length: loops }, loop));
  };
}

/** @param {string} url @param {Agent} agent @param {Uint8Array} body */
async function post(url, agent, body) {
  const sent = request(url, {
    method: "POST",
    agent,
    headers: {
      "content-type": "application/json",
      "content-length": body.length,
      "x-service-integrity": createHmac("sha256", SECRET).update(body).digest("hex"),
    },
  }).end(body);
  const [response] = await once(sent, "response");
  response.resume();
  await once(response, "end");
  if (response.statusCode !== 204) throw new Error(`answered ${response.statusCode}`);
}

/**
 * Opens a storage with deliveries to several endpoints.
 *
 * @param {string} url
 * @param {number} endpoints
 */
async function openShelf(url, endpoints) {
  const folder = await mkdtemp(join(tmpdir(), "riskgate-bench-"));
  const storage = await openStorage(folder);
  const ids = [];
  for (let made = 0; made < endpoints; made++) {
    const settings = { name: "Shop", webhookUrl: url, allowedDestinations: ["127.0.0.1"] };
    const { id } = await storage.applications.create(settings);
    await storage.applications.rotateSecret(id, { value: SECRET });
    ids.push(id);
  }
  return {
    storage,
    ids,
    /** Replaces the sent bodies. @param {readonly Uint8Array[]} bodies */
    async fill(bodies) {
      await storage.prune({ deliveriesBefore: Date.now() * 1_000 + 1 });
      for (const [place, id] of ids.entries()) {
        const own = bodies.filter((_, index) => index % endpoints === place);
        await storage.deliveries.create(
          id,
          own.map((body) => ({ body, seqs: [] })),
        );
      }
    },
    async close() {
      await storage.close();
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * Opens a dispatcher on a separate storage.
 *
 * @param {string} url
 * @param {number} endpoints
 * @param {boolean} readBack
 */
async function openDispatcher(url, endpoints, readBack) {
  const shelf = await openShelf(url, endpoints);
  const { storage, ids } = shelf;
  let left = 0;
  let end = (/** @type {Error=} */ _problem) => {};
  let ended = Promise.resolve();
  const dispatcher = createDispatcher({
    storage,
    onNotice(notice) {
      if (notice.state !== "delivered") end(new Error(JSON.stringify(notice)));
      else if (--left === 0) end();
    },
  });
  return {
    /** @param {readonly Uint8Array[]} bodies */
    async prepare(bodies) {
      // First, because the dispatcher may find work before it is woken.
      left = bodies.length;
      ended = new Promise((resolve, reject) => {
        end = (problem) => (problem ? reject(problem) : resolve());
      });
      await shelf.fill(bodies);
      // A change to an application discards its deliveries in memory.
      if (readBack) await storage.applications.update(ids[0], { name: "Shop" });
    },
    /** Resolves once all are recorded. */
    sendAll() {
      dispatcher.wake();
      return ended;
    },
    async close() {
      await dispatcher.close();
      await shelf.close();
    },
  };
}
