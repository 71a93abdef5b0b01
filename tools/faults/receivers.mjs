import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { ServiceCluster } from "./service-cluster.mjs";

const HEALTHY = 4;
const PER_SECOND = 5;
const PER_BATCH = 5;
/** Time that a payload waits for others in its batch. */
const BATCH_WAIT_MS = 100;
/** Limit on a quiet machine, in the long form. */
const MAX_P95_MS = 1_000;
/** Above this, deliveries wait for a bad receiver, however busy the machine is. */
const NEVER_MS = 5_000;

/** Behaviours of a bad receiver once the request has begun. */
const BAD = {
  hangs: () => {},
  drips: (/** @type {import("node:net").Socket} */ socket) => {
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
    const drip = setInterval(() => socket.write("a"), 100);
    socket.on("close", () => clearInterval(drip));
  },
  resets: (/** @type {import("node:net").Socket} */ socket) => socket.resetAndDestroy(),
  503: answering("503 Service Unavailable\r\nRetry-After: 1", ""),
  302: answering("302 Found\r\nLocation: http://127.0.0.1:1/", ""),
  "100 MB": (/** @type {import("node:net").Socket} */ socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${100 * 1024 * 1024}\r\n\r\n`);
    const block = Buffer.alloc(64 * 1024, "a");
    const more = () => {
      while (!socket.destroyed && socket.write(block));
    };
    socket.on("drain", more);
    more();
  },
};

/** @param {string} head @param {string} body */
function answering(head, body) {
  return (/** @type {import("node:net").Socket} */ socket) =>
    void socket.end(`HTTP/1.1 ${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
}

/** @type {import("./run.mjs").Scenario} */
export const receivers = {
  name: "receivers",
  about: "six bad receivers beside four healthy ones, which are not to wait for them",
  stores: ["postgres"],
  async run({ isLong, scale }) {
    const figures = await deliver(isLong ? Math.ceil(120 * scale) : 10);
    const broken = [];
    if (figures.lost > 0) broken.push(`${figures.lost} events did not reach a healthy receiver`);
    const limitMs = isLong ? MAX_P95_MS : NEVER_MS;
    if (figures.p95Ms > limitMs) broken.push(`p95 of ${figures.p95Ms} ms at healthy receivers`);
    return { figures, broken };
  },
};

/** @param {number} seconds */
async function deliver(seconds) {
  const site = await ServiceCluster.open({
    processes: 2,
    endpoints: HEALTHY,
    settings: { delivery: { maxWaitMs: BATCH_WAIT_MS } },
  });
  const servers = [];
  const asked = new Map(Object.keys(BAD).map((name) => [name, 0]));
  try {
    for (const [name, behave] of Object.entries(BAD)) {
      const server = createServer((socket) => {
        socket.on("error", () => {});
        socket.once("data", () => {
          asked.set(name, (asked.get(name) ?? 0) + 1);
          behave(socket);
        });
        socket.resume();
      }).listen(0, "127.0.0.1");
      servers.push(server);
      await once(server, "listening");
      const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
      await site.addApplication(`http://127.0.0.1:${port}/`);
    }
    /** When each event for a healthy receiver was accepted. @type {Map<string, number>} */
    const accepted = new Map();
    const report = async (/** @type {number} */ turn, /** @type {number} */ place) => {
      const ids = Array.from({ length: PER_BATCH }, (_, at) => `event-${place}-${turn}-${at}`);
      const body = ids.map((id) => ({ id, event_kind: "location", ips: ["203.0.113.9"] }));
      await site.send(`/applications/${site.applications[place]}/events`, body);
      if (place < HEALTHY) for (const id of ids) accepted.set(id, performance.now());
    };
    for (let turn = 0; turn < seconds * PER_SECOND; turn++) {
      const startedMs = performance.now();
      await Promise.all(site.applications.map((_, place) => report(turn, place)));
      await pause(Math.max(0, 1_000 / PER_SECOND - (performance.now() - startedMs)));
    }
    const isMissing = (/** @type {string} */ id) => !site.received.has(id);
    for (let waited = 0; waited < 60 && [...accepted.keys()].some(isMissing); waited++) {
      await pause(1_000);
    }
    const timesMs = [...accepted]
      .map(([id, atMs]) => Math.max(0, (site.received.get(id)?.atMs ?? Infinity) - atMs))
      .sort((one, other) => one - other);
    const at = (/** @type {number} */ share) =>
      Math.round(timesMs[Math.floor(timesMs.length * share)] ?? 0);
    return {
      accepted: accepted.size,
      lost: [...accepted.keys()].filter(isMissing).length,
      p50Ms: at(0.5),
      p95Ms: at(0.95),
      p99Ms: at(0.99),
      requestsToBad: Object.fromEntries(asked),
      failures: site.failures,
    };
  } finally {
    for (const server of servers) server.close();
    await site.close();
  }
}
