import { inChild } from "../lib/child.mjs";
import { answerOf, ask, startProcess, stopProcess } from "../lib/processes.mjs";
import { startServer } from "../lib/server.mjs";

const IMPORT = new URL("../workers/import-cost.mjs", import.meta.url);
const SERVICE = new URL("../servers/assessments.mjs", import.meta.url);

/** At most 64 connections for clients with such a setting; `fetch` and ky have none. */
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
    id: "6",
    variant: "riskgate",
    against: "undici.request",
    figure: "cpuUs",
    as: "ratio",
    atMost: 1.15,
  },
  ...BROADLY_USED.map((against) => ({
    id: "6",
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

/** The cost of an import, each time in a new process. */
function importing() {
  const NODE_AND_CACHE = "node:crypto, node:http, lru-cache";
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
      {
        id: "11",
        variant: "riskgate, core",
        figure: "ms",
        as: "ratio",
        against: NODE_AND_CACHE,
        atMost: 1.5,
      },
    ],
  };
}
