// What every call of a client starts and stops; it is no export of the package.
import { createDeadlines } from "../../packages/core/dist/cjs/deadline.js";
import { inChild } from "../lib/child.mjs";
import { answerOf, ask, startProcess, stopProcess } from "../lib/processes.mjs";
import { startServer } from "../lib/server.mjs";
import { timed } from "../lib/timing.mjs";

const IMPORT = new URL("../workers/import-cost.mjs", import.meta.url);
const SERVICE = new URL("../servers/assessments.mjs", import.meta.url);

/** Connections are 64 at most, where a client has a setting for it; `fetch` and ky have none. */
const CLIENTS = [
  "floor",
  "undici.request",
  "riskgate",
  "riskgate over fetch",
  "node:http",
  "fetch",
  "axios",
  "got",
  "ky",
];
const BROADLY_USED = ["fetch", "axios", "got", "ky"];
const CONCURRENCY = [1, 50, 500];

export default {
  name: "client",
  title: "The lookup client",
  about:
    "`GET /v1/ips/{ip}` over kept connections, each time another address, the answer parsed, the " +
    "cache turned off. Beside plain sockets with prepared requests, the transport below our client " +
    "on its own, and the clients that are broadly used. Client and service have a process each.",
  /** @param {{ quick: boolean }} options */
  cases: ({ quick }) => [
    ...(quick ? [50] : CONCURRENCY).map((concurrency) => lookups(concurrency, quick)),
    deadline(),
    importing(),
  ],
};

/** @param {number} concurrency @param {boolean} quick */
function lookups(concurrency, quick) {
  return {
    name: `${concurrency} at a time, CPU of the client`,
    figure: "cpuUs",
    baseline: "undici.request",
    async open() {
      const server = await startServer(SERVICE, "");
      const processes = await Promise.all(
        CLIENTS.map((name) => startClient(name, `http://127.0.0.1:${server.port}`)),
      );
      const plan = { concurrency, ms: quick ? 100 : 1000 };
      return {
        variants: processes.map((process, at) => ({
          name: CLIENTS[at] ?? "",
          measure: () => ask(process, plan),
        })),
        close: () => Promise.all([server.stop(), ...processes.map(stopProcess)]),
      };
    },
    targets: concurrency === 50 ? TARGETS : [],
  };
}

const TARGETS = [
  {
    id: "4a",
    variant: "riskgate",
    against: "undici.request",
    figure: "cpuUs",
    as: "ratio",
    atMost: 1.15,
  },
  ...BROADLY_USED.map((against) => ({
    id: "4b",
    variant: "riskgate",
    against,
    figure: "rps",
    as: "ratio",
    atLeast: 5,
  })),
];

/** @param {string} name @param {string} origin */
async function startClient(name, origin) {
  const process = startProcess("../workers/client-process.mjs", [name, origin], { core: 1 });
  const { first } = await answerOf(process);
  if (first.ip !== "81.0.0.1" || first.risk_score !== 12) throw new Error(`${name} is wrong`);
  return process;
}

/** A deadline that never passes, on its own. */
function deadline() {
  const deadlines = createDeadlines(2000, () => performance.now());
  const nothing = () => {};
  return {
    name: "a deadline alone, started and stopped",
    figure: "cpuUs",
    baseline: "riskgate",
    open: async () => ({
      variants: [
        { name: "riskgate", measure: timed(() => deadlines.start(nothing)()) },
        {
          name: "setTimeout",
          measure: timed(() => clearTimeout(setTimeout(nothing, 2000))),
        },
        {
          name: "AbortSignal.timeout, with a listener",
          measure: timed(() => AbortSignal.timeout(2000).addEventListener("abort", nothing)),
        },
      ],
    }),
    targets: [
      // 5 % of the 18 us that a call takes.
      { id: "4c", variant: "riskgate", figure: "cpuUs", as: "value", atMost: 0.9 },
    ],
  };
}

/** What a program pays at its start, each time in a process of its own. */
function importing() {
  const NODE_AND_CACHE = "node:crypto, node:http, lru-cache";
  const TARGET = { id: "9", variant: "riskgate, core" };
  /** @type {Record<string, string[]>} */
  const imports = {
    [NODE_AND_CACHE]: ["node:crypto", "node:http", "lru-cache"],
    "riskgate, core": ["@riskgate/core"],
    undici: ["undici"],
    got: ["got"],
    axios: ["axios"],
    stripe: ["stripe"],
  };
  return {
    name: "import in a new process",
    figure: "ms",
    baseline: NODE_AND_CACHE,
    open: async () => ({
      variants: Object.entries(imports).map(([name, modules]) => {
        return { name, measure: () => inChild(IMPORT, modules) };
      }),
    }),
    targets: [
      { ...TARGET, figure: "ms", as: "value", atMost: 15 },
      // The same for any machine: the 15 ms are asked where the baseline takes 10.
      { ...TARGET, figure: "ms", as: "ratio", against: NODE_AND_CACHE, atMost: 1.5 },
      { ...TARGET, figure: "MiB", as: "value", atMost: 6 },
    ],
  };
}
