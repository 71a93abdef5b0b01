import { once } from "node:events";
import { createServer, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { ServiceCluster } from "./service-cluster.mjs";

const LOOKUPS_PER_SECOND = 50;
const REPORTS_PER_SECOND = 10;

/** @type {import("./run.mjs").Scenario} */
export const rolling = {
  name: "rolling",
  about: "three services behind a small proxy are stopped and started one after the other",
  stores: ["postgres"],
  async run({ isLong }) {
    const figures = await restartOneByOne(isLong ? 5 : 1);
    const broken = [];
    if (figures.failedLookups > 0) broken.push(`${figures.failedLookups} lookups failed`);
    if (figures.failedReports > 0) broken.push(`${figures.failedReports} reports failed`);
    if (figures.lost > 0) broken.push(`${figures.lost} events were accepted and not delivered`);
    if (figures.exitCodes.some((code) => code !== 0)) {
      broken.push(`exit codes ${figures.exitCodes.join(", ")}`);
    }
    return { figures, broken };
  },
};

/** @param {number} rounds */
async function restartOneByOne(rounds) {
  const site = await ServiceCluster.open({ processes: 3, endpoints: 1 });
  const proxy = await openProxy(site.processes);
  try {
    const [application = ""] = site.applications;
    const { key } = await site.send(`/applications/${application}/keys`, { scope: "lookup" });
    const { key: reportKey } = await site.send(`/applications/${application}/keys`, {
      scope: "report",
    });
    const counts = {
      lookups: 0,
      refusedLookups: 0,
      failedLookups: 0,
      reports: 0,
      failedReports: 0,
    };
    /** @type {string[]} */
    const accepted = [];
    /** @type {Set<Promise<void>>} */
    const asked = new Set();
    const ask = (/** @type {() => Promise<void>} */ work) => {
      const asking = work().finally(() => asked.delete(asking));
      asked.add(asking);
    };
    const sendLookup = async () => {
      const answer = await fetch(`${proxy.url}/v1/ips/203.0.113.9`, {
        headers: { "x-api-key": key },
      }).catch(() => undefined);
      await answer?.arrayBuffer();
      return answer?.status;
    };
    const lookUp = async () => {
      counts.lookups++;
      let status = await sendLookup();
      // A service refuses a lookup rather than let it wait for the database longer than a second.
      if (status === 503) {
        counts.refusedLookups++;
        status = await sendLookup();
      }
      if (status !== 200) counts.failedLookups++;
    };
    const sendReport = async (/** @type {string} */ id) => {
      const answer = await fetch(`${proxy.url}/v1/reports/events`, {
        method: "POST",
        headers: { "x-api-key": reportKey, "content-type": "application/json" },
        body: JSON.stringify([{ id, event_kind: "location", ips: ["203.0.113.9"] }]),
      }).catch(() => undefined);
      await answer?.arrayBuffer();
      return answer?.status === 200;
    };
    const report = async () => {
      const id = `event-${counts.reports++}`;
      // Like a reporter: the service counts repeated reports with the same id once.
      if ((await sendReport(id)) || (await sendReport(id))) accepted.push(id);
      else counts.failedReports++;
    };
    const timers = [
      setInterval(() => ask(lookUp), 1_000 / LOOKUPS_PER_SECOND),
      setInterval(() => ask(report), 1_000 / REPORTS_PER_SECOND),
    ];
    const exitCodes = [];
    for (let round = 0; round < rounds; round++) {
      for (const one of site.processes) {
        await pause(1_000);
        exitCodes.push(await one.stop("SIGTERM"));
        await one.start();
      }
    }
    await pause(1_000);
    for (const timer of timers) clearInterval(timer);
    await Promise.all(asked);
    for (let waited = 0; waited < 60 && accepted.some((id) => !site.received.has(id)); waited++) {
      await pause(1_000);
    }
    const lost = accepted.filter((id) => !site.received.has(id)).length;
    return { ...counts, accepted: accepted.length, lost, restarts: exitCodes.length, exitCodes };
  } finally {
    await proxy.close();
    await site.close();
  }
}

/**
 * A proxy that rotates over the targets and uses the next one if a connection fails. Like common
 * proxies, it repeats idempotent requests if the connection breaks before an answer. That happens if
 * the system has accepted a connection for a service that ends before taking it.
 *
 * @param {readonly { readonly port: number }[]} targets
 */
async function openProxy(targets) {
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    /** @type {Buffer[]} */
    const chunks = [];
    incoming.on("data", (chunk) => chunks.push(chunk));
    const pass = (/** @type {number} */ left) => {
      const { port } = /** @type {{ port: number }} */ (targets[turn++ % targets.length]);
      const { method, url: path, headers } = incoming;
      const options = { host: "127.0.0.1", port, method, path, headers, agent: false };
      request(options, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      })
        .on("error", (error) => {
          const isRefused = /** @type {NodeJS.ErrnoException} */ (error).code === "ECONNREFUSED";
          const isAskedAgain = !outgoing.headersSent && (isRefused || method === "GET");
          if (isAskedAgain && left > 1) pass(left - 1);
          else if (outgoing.headersSent) outgoing.destroy();
          else outgoing.writeHead(502).end();
        })
        .end(Buffer.concat(chunks));
    };
    incoming.on("end", () => pass(targets.length));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
