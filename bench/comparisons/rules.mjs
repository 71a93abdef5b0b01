import { createGate, createVelocity } from "@riskgate/core";
import { timed, timedAsync } from "../lib/timing.mjs";
import { addressOf, clientFor, emailOf } from "../workers/caches.mjs";

const ENTRIES = 10_000;

/** Ten rules of every kind, none of which holds: each of them is evaluated for every decision. */
const RULES = [
  { name: "country", when: { country: ["AQ", "BVT"] }, outcome: "flag" },
  { name: "network", when: { asn: [64500, 64501] }, outcome: "reject" },
  { name: "domain", when: { domain: ["example.org", "example.net"] }, outcome: "allow" },
  { name: "new domain", when: { domainAgeUnknown: true, scoreAbove: 30 }, outcome: "flag" },
  { name: "anonymous", when: { flags: { any: ["is_tor", "is_vpn"] } }, outcome: "reject" },
  {
    name: "hosting",
    when: { flags: { all: ["is_datacenter"], none: ["is_proxy"] } },
    outcome: "flag",
  },
  { name: "middle", when: { scoreAbove: 40, scoreAtMost: 60 }, outcome: "allow" },
  { name: "administration", when: { path: ["/admin/*", "/internal/login"] }, outcome: "reject" },
  {
    name: "abroad",
    when: { not: { country: ["NL", "BE", "LU"] }, path: ["/signup"] },
    outcome: "flag",
  },
  {
    name: "everything",
    when: { country: ["NL"], domain: ["example.com"], scoreAbove: 20, path: ["/signup"] },
    outcome: "reject",
  },
];

export default {
  name: "rules",
  title: "Rules of the operator, and velocity",
  about:
    "A decision from memory, both identifiers in the cache, without rules and with ten of them, of " +
    "every kind, none of which holds, and with velocity, which counts every decision in memory by " +
    "mailbox, address, network and domain. `again` is a second gate without rules: what it differs by " +
    "is noise.",
  cases: () => [decision()],
};

function decision() {
  return {
    name: `decision from memory, ${ENTRIES} entries in each cache`,
    figure: "cpuNs",
    baseline: "without",
    async open() {
      const client = clientFor(ENTRIES);
      const facts = Array.from({ length: ENTRIES }, (_, visitor) => ({
        ip: addressOf(visitor),
        email: emailOf(visitor),
        path: "/signup?plan=free",
      }));
      for (const { ip, email } of facts) {
        await client.lookupIp(ip);
        await client.lookupEmail(email);
      }
      const without = createGate({ lookup: client });
      const again = createGate({ lookup: client });
      const ten = createGate({ lookup: client, rules: /** @type {any} */ (RULES) });
      // Of windows this short each decision is another one, which is counted.
      const velocity = createVelocity({
        windowMs: 1_000,
        // As ordinary visitors: nothing comes too often, although all have one domain and few networks.
        limits: { ipv4_24: { from: 1e6, to: 1e7 }, domain: { from: 1e6, to: 1e7 } },
      });
      const both = createGate({ lookup: client, rules: /** @type {any} */ (RULES), velocity });
      /** @param {number} call */
      const factsFor = (call) => /** @type {(typeof facts)[number]} */ (facts[call % ENTRIES]);
      for (const gate of [without, ten, both]) {
        if (gate.peek(factsFor(0))?.because !== "score") throw new Error("a wrong decision");
      }
      const unit = /** @type {const} */ ("ns");
      return {
        variants: [
          { name: "without", measure: timed((call) => without.peek(factsFor(call)), { unit }) },
          { name: "again", measure: timed((call) => again.peek(factsFor(call)), { unit }) },
          { name: "ten rules", measure: timed((call) => ten.peek(factsFor(call)), { unit }) },
          {
            name: "ten rules and velocity",
            measure: timed((call) => both.peek(factsFor(call)), { unit }),
          },
          {
            name: "ten rules, decide",
            measure: timedAsync((call) => ten.decide(factsFor(call)), { unit }),
          },
        ],
        close: () => client.close(),
      };
    },
    targets: [
      {
        id: "rules",
        variant: "ten rules",
        against: "without",
        figure: "cpuNs",
        as: "added",
        atMost: 5_000,
      },
      {
        id: "velocity",
        variant: "ten rules and velocity",
        against: "without",
        figure: "cpuNs",
        as: "added",
        atMost: 5_000,
      },
    ],
  };
}
