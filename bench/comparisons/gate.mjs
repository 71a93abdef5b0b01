import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGate, createVelocity } from "@riskgate/core";
import { createDecisionLog } from "@riskgate/core/log";
import { httpVariant, startLoad } from "../lib/load.mjs";
import { startServer } from "../lib/server.mjs";
import { timed, timedAsync } from "../lib/timing.mjs";
import { requests } from "../servers/login-requests.mjs";
import { addressOf, clientFor, emailOf } from "../workers/prepared-client.mjs";
import { createGateByHand } from "../workers/gate-by-hand.mjs";

const ROUTES = new URL("../servers/login-routes.mjs", import.meta.url);

/** Each framework with its best-known rate limiter. */
const FRAMEWORKS = [
  { framework: "Fastify", limiter: "@fastify/rate-limit" },
  { framework: "Koa", limiter: "koa-ratelimit" },
  { framework: "Express", limiter: "express-rate-limit" },
];

/** Short, so that all variants run within a second, in which the machine changes little. */
const VISIT_MS = 150;

const ENTRIES = 10_000;

/** Operator rules with every kind of condition. None of them matches, so each is evaluated. */
const RULES = /** @type {const} */ ([
  { name: "country", when: { country: ["AQ", "BVT"] }, outcome: "flag" },
  { name: "network", when: { asn: [64500, 64501] }, outcome: "reject" },
  { name: "domain", when: { domain: ["example.org", "example.net"] }, outcome: "allow" },
  { name: "anonymous", when: { flags: { any: ["is_tor", "is_vpn"] } }, outcome: "reject" },
  { name: "middle", when: { scoreAbove: 40, scoreAtMost: 60 }, outcome: "allow" },
  { name: "path", when: { path: ["/admin/*", "/internal/login"] }, outcome: "reject" },
  { name: "abroad", when: { not: { country: ["NL"] }, path: ["/signup"] }, outcome: "flag" },
]);

export default {
  name: "gate",
  title: "A gate in front of a route",
  about:
    "`POST /login` with a JSON body, both identifiers in the cache, beside the same route with " +
    "nothing, a hook that does nothing, and rate limiters that keep their counts in memory. `bare " +
    "again` is the bare route in another process: what it differs by is noise. `by hand` is two looks " +
    "into `lru-cache` and the higher score, without anything else that a gate does; `floor` is the " +
    "same with a plain `Map` for each cache, which forgets nothing.",
  cases: () => [decision(), features(), ...FRAMEWORKS.map(route)],
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
    // The layout of code and heap differs by process, which changes its figures by up to 5 %.
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

/** Checks that the gate runs: only a gate refuses an email that is not a string. @param {number} port */
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
      // New strings, like those of requests, instead of the keys of the caches.
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

/** A decision from memory with the features that applications turn on. */
function features() {
  return {
    name: `decision from memory with lists, rules and log, ${ENTRIES} entries in each cache`,
    figure: "cpuNs",
    baseline: "plain",
    async open() {
      const folder = await mkdtemp(join(tmpdir(), "riskgate-bench-"));
      const log = createDecisionLog({
        path: join(folder, "decisions.jsonl"),
        secret: "the-secret-of-the-decision-log-32-bytes",
      });
      const client = clientFor(ENTRIES);
      const facts = Array.from({ length: ENTRIES }, (_, visitor) => {
        return { ...factsOf(visitor), path: "/signup?plan=free" };
      });
      for (const { ip, email } of facts) {
        await client.lookupIp(ip);
        await client.lookupEmail(email);
      }
      const lists = { allow: ["198.51.100.0/24"], deny: ["203.0.113.0/24", "someone@example.org"] };
      // A short window, so that the memory of the counts stays bounded, and limits nobody reaches.
      const velocity = createVelocity({
        windowMs: 1_000,
        limits: { ipv4_24: { from: 1e6, to: 1e7 }, domain: { from: 1e6, to: 1e7 } },
      });
      const gates = {
        plain: createGate({ lookup: client }),
        "plain again": createGate({ lookup: client }),
        lists: createGate({ lookup: client, ...lists }),
        "lists and rules": createGate({ lookup: client, ...lists, rules: RULES }),
        "lists, rules and log": createGate({ lookup: client, ...lists, rules: RULES, log }),
        "lists, rules and velocity": createGate({
          lookup: client,
          ...lists,
          rules: RULES,
          velocity,
        }),
      };
      return {
        variants: Object.entries(gates).map(([name, gate]) => {
          const decide = (/** @type {number} */ call) =>
            gate.peek(/** @type {(typeof facts)[number]} */ (facts[call % ENTRIES]));
          if (decide(0)?.because !== "score") throw new Error(`${name}: a wrong decision`);
          return { name, measure: timed(decide, { unit: "ns" }) };
        }),
        async close() {
          await log.close();
          await client.close();
          await rm(folder, { recursive: true });
        },
      };
    },
    targets: [
      {
        id: "features",
        variant: "lists and rules",
        against: "plain",
        figure: "cpuNs",
        as: /** @type {const} */ ("added"),
        atMost: 5_000,
      },
    ],
  };
}

/** @param {number} visitor */
function factsOf(visitor) {
  return {
    ip: Buffer.from(addressOf(visitor)).toString(),
    email: Buffer.from(emailOf(visitor)).toString(),
  };
}
