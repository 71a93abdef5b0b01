import { guards } from "./verify-guards.mjs";
import { hmacLimit, signatures } from "./verify-signature.mjs";
import { verifiers } from "./verify-variants.mjs";
import { makeDelivery } from "../lib/deliveries.mjs";

/** How many times the cost of riskgate a peer has to be at least, by the number of events. */
const AHEAD = {
  1: { octokit: 1.6, stripe: 2, slack: 3.5, svix: 5, standardwebhooks: 5, shopify: 20 },
  1000: { octokit: 1, slack: 1.25, stripe: 1.4, shopify: 1.4, svix: 3 },
};

export default {
  name: "verify",
  title: "Verifying and parsing a delivery",
  about:
    "The signature alone, then signature and parse: from the bytes as received to the parsed payloads. The floor is createHmac, timingSafeEqual and JSON.parse. parseDelivery also brings every payload into its stated types, which no peer does. `receive` is everything that a route does with a body, to the handler called for each payload. Last, the check of the types alone beside validators. Figures are the CPU time of the process, its collector included.",
  /** @param {{ quick: boolean }} options */
  cases: ({ quick }) => [
    ...(quick ? [838, 65_536] : [838, 2048, 8192, 65_536, 262_144]).map(signatures),
    hmacLimit(),
    ...(quick ? [1, 100] : [1, 100, 1000]).map((count) => deliveries(count, "ascii")),
    deliveries(quick ? 100 : 1000, "utf8"),
    guards(quick ? 100 : 1000),
  ],
};

/**
 * @param {number} count
 * @param {"ascii" | "utf8"} text
 */
function deliveries(count, text) {
  const events = count === 1 ? "1 event" : `${count} events`;
  const { body } = makeDelivery(count, { text });
  return {
    name: `${events}, ${text === "ascii" ? "ASCII" : "other letters"}`,
    figure: "cpuUs",
    baseline: "floor",
    open: async () => ({ variants: await verifiers(body, count) }),
    targets: text === "ascii" ? deliveryTargets(count) : [],
  };
}

/** @param {number} count */
function deliveryTargets(count) {
  const riskgate = "riskgate, verify and JSON.parse";
  const checked = "riskgate, verify and parseDelivery";
  const base = { figure: "cpuUs", as: /** @type {const} */ ("ratio") };
  const ahead = Object.entries(AHEAD[/** @type {1} */ (count)] ?? {});
  return [
    count === 1
      ? { ...base, id: "1c", variant: riskgate, against: "floor", atMost: 0.75 }
      : { ...base, id: "1d", variant: checked, against: "floor", atMost: 1.08 },
    ...ahead.map(([peer, times]) => {
      return {
        ...base,
        id: count === 1 ? "1f" : "1g",
        variant: peer,
        against: riskgate,
        atLeast: times,
      };
    }),
  ];
}
