import { receivers, verifiers } from "./verify-variants.mjs";
import { makeDelivery } from "../lib/deliveries.mjs";

/** Peers that must not turn a signed body into payloads faster. */
const PEERS = ["stripe", "svix", "standardwebhooks", "slack", "shopify"];

export default {
  name: "verify",
  title: "Verifying and parsing a delivery",
  about:
    "From the bytes as received to the parsed payloads. The floor is createHmac, timingSafeEqual and JSON.parse. parseDelivery also brings every payload into its stated types, which no peer does. `receive` is everything that a route does with a body, to the handler called for each payload, with the seen store that is the default. Figures are the CPU time of the process, its garbage collector included.",
  /** @param {{ quick: boolean }} options */
  cases: ({ quick }) => [
    // First and alone, like a process that only receives webhooks.
    wholeReceive(),
    ...(quick ? [1, 100] : [1, 100, 1000]).map((count) => deliveries(count, "ascii")),
    deliveries(quick ? 100 : 1000, "utf8"),
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
    open: async () => ({ variants: await verifiers(body, count, text) }),
    targets: text === "ascii" ? deliveryTargets() : [],
  };
}

function deliveryTargets() {
  const base = { figure: "cpuUs", as: /** @type {const} */ ("ratio") };
  const typed = "riskgate, verify and parseDelivery";
  return [
    ...PEERS.map((peer) => ({ ...base, id: "1", variant: typed, against: peer, atMost: 1 })),
    { ...base, id: "1", variant: typed, against: "octokit", atMost: 1.1 },
  ];
}

function wholeReceive() {
  const target = { variant: "riskgate, receive", against: "octokit, receive", atMost: 1.25 };
  return {
    name: "a whole receive of 1 event",
    figure: "cpuUs",
    baseline: "octokit, receive",
    open: async () => ({ variants: await receivers(1, "ascii") }),
    targets: [{ id: "2", figure: "cpuUs", as: /** @type {const} */ ("ratio"), ...target }],
  };
}
