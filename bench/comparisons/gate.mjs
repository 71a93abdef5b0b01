import { createGate } from "@riskgate/core";
import { httpVariant, startLoad } from "../lib/load.mjs";
import { startServer } from "../lib/server.mjs";
import { timed, timedAsync } from "../lib/timing.mjs";
import { requests } from "../servers/login-requests.mjs";
import { addressOf, clientFor, emailOf } from "../workers/caches.mjs";
import { createGateByHand } from "../workers/gate-by-hand.mjs";

const ROUTES = new URL("../servers/login-routes.mjs", import.meta.url);

/** Each framework with its best-known rate limiter. */
const FRAMEWORKS = [
  { framework: "Fastify", limiter: "@fastify/rate-limit" },
  { framework: "Koa", limiter: "koa-ratelimit" },
  { framework: "Express", limiter: "express-rate-limit" },
];

/** Short, so that variants are compared within a second, in which the machine changes little. */
const VISIT_MS = 150;

const ENTRIES = 10_000;

export default {
  name: "gate",
  title: "A gate in front of a route",
  about:
    "`POST /login` with a JSON body, both identifiers in the cache, beside the same route with " +
    "nothing, a hook that does nothing, and rate limiters that keep their counts in memory. `bare " +
    "again` is the bare route in another process: what it differs by is noise. `by hand` is two looks " +
    "into `lru-cache` and the higher score, without anything else that a gate does; `floor` is the " +
    "same with a plain `Map` for each cache, which forgets nothing.",
  cases: () => [decision(), ...FRAMEWORKS.map(route)],
};

/** @param {(typeof FRAMEWORKS)[number]} framework */
function route({ framework, limiter }) {
  const names = [
    "bare",
    "bare again",
    "no-op",
    "floor",
    "by hand",
    "riskgate",
    limiter,
    "rate-limiter-flexible",
  ];
  const added = { variant: "riskgate", against: "bare", figure: "cpuUs" };
  return {
    name: `${framework}, CPU of the server`,
    figure: "cpuUs",
    baseline: "bare",
    // A process keeps the layout of its code and heap for life, which moves it by up to 5 %.
    rounds: 160,
    generations: 8,
    async open() {
      const load = startLoad();
      const servers = await Promise.all(
        names.map((name) =>
          startServer(ROUTES, `${framework.toLowerCase()} ${name.replace(" again", "")}`),
        ),
      );
      const options = { request: requests, connections: 32, status: 200, ms: VISIT_MS };
      await checkRefusal(
        /** @type {typeof servers[0]} */ (servers[names.indexOf("riskgate")]).port,
      );
      return {
        variants: servers.map((server, at) => httpVariant(names[at] ?? "", server, load, options)),
        close: () => Promise.all([load.stop(), ...servers.map((server) => server.stop())]),
      };
    },
    targets: [
      { ...added, id: "3", against: limiter, base: "bare", as: "added ratio", atMost: 1 },
      { ...added, id: "3", figure: "rps", as: "ratio", atLeast: 0.95 },
    ],
  };
}

/** An email address that is no text is what only a gate would mind. @param {number} port */
async function checkRefusal(port) {
  const { status } = await fetch(`http://127.0.0.1:${port}/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: 1 }),
  });
  if (status !== 400) throw new Error(`expected the gate to refuse, given status ${status}`);
}

/** The gate's own work, without HTTP. */
function decision() {
  return {
    name: `decision alone, ${ENTRIES} entries in each cache`,
    figure: "cpuNs",
    baseline: "by hand",
    async open() {
      const client = clientFor(ENTRIES);
      const visitors = Array.from({ length: ENTRIES }, (_, visitor) => factsOf(visitor));
      const floor = await createGateByHand("floor", client, visitors);
      const byHand = await createGateByHand("by hand", client, visitors);
      const gate = createGate({ lookup: client });
      // Texts of their own, as those of requests are.
      const facts = Array.from({ length: ENTRIES }, (_, visitor) => factsOf(visitor));
      /** @param {number} call */
      const factsFor = (call) => /** @type {ReturnType<typeof factsOf>} */ (facts[call % ENTRIES]);
      const facts0 = factsFor(0);
      for (const given of [floor.decide(facts0), byHand.decide(facts0), gate.peek(facts0)]) {
        if (given?.outcome !== "allow" || given.score !== 12) throw new Error("a wrong decision");
      }
      return {
        variants: [
          {
            name: "floor",
            measure: timed((call) => floor.decide(factsFor(call)), { unit: "ns" }),
          },
          {
            name: "by hand",
            measure: timed((call) => byHand.decide(factsFor(call)), { unit: "ns" }),
          },
          {
            name: "riskgate, peek",
            measure: timed((call) => gate.peek(factsFor(call)), { unit: "ns" }),
          },
          {
            name: "riskgate, decide",
            measure: timedAsync((call) => gate.decide(factsFor(call)), { unit: "ns" }),
          },
          {
            name: "by hand, with promises",
            measure: timedAsync((call) => byHand.decideLater(factsFor(call)), { unit: "ns" }),
          },
        ],
        close: () => client.close(),
      };
    },
  };
}

/** @param {number} visitor */
function factsOf(visitor) {
  return {
    ip: Buffer.from(addressOf(visitor)).toString(),
    email: Buffer.from(emailOf(visitor)).toString(),
  };
}
