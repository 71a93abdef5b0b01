import { setTimeout as pause } from "node:timers/promises";
import { fate, InboxSite, isPoison } from "./inbox-site.mjs";

const PER_DELIVERY = 20;
const DELIVERIES_PER_SECOND = 50;
const MAX_ATTEMPTS = 5;
const LEAST_SHARE = 0.8;

/** @type {import("./run.mjs").Scenario} */
export const poison = {
  name: "poison",
  about: "1 % of the deliveries always fail, 0.1 % end the process; the same run without, too",
  stores: ["redis", "sqlite"],
  async run({ store, isLong, scale }) {
    // Each 1,000 contain one that kills. A short run has the first half of them, with that one.
    const deliveries = isLong ? Math.max(1_000, 4_000 * scale) : 300;
    const figures = await deliverAll(store, deliveries, "deliveries");
    const clean = isLong ? await deliverAll(store, deliveries, undefined) : undefined;
    const broken = [];
    if (figures.lost > 0) broken.push(`${figures.lost} events were acknowledged and lost`);
    if (figures.parked !== figures.poison) {
      broken.push(`${figures.parked} parked of ${figures.poison}`);
    }
    const { fewestStarts, mostStarts, killingStarts } = figures;
    // With Redis, payloads that wait in a delivery whose process ends also use an attempt.
    if (mostStarts > MAX_ATTEMPTS || (store === "sqlite" && fewestStarts < MAX_ATTEMPTS)) {
      broken.push(`poison was parked after ${fewestStarts} to ${mostStarts} attempts`);
    }
    if (killingStarts.some((count) => count !== MAX_ATTEMPTS)) {
      broken.push(`what kills was parked after ${killingStarts.join(", ")} attempts`);
    }
    if (!clean) return { figures, broken };
    const share = Math.round((100 * figures.eventsPerSecond) / clean.eventsPerSecond) / 100;
    if (share < LEAST_SHARE) broken.push(`throughput is ${share} of the run without poison`);
    return { figures: { share, without: clean.eventsPerSecond, ...figures }, broken };
  },
};

/**
 * Sends deliveries at a steady rate, repeats those that are not acknowledged, and waits for all.
 *
 * @param {string} store
 * @param {number} deliveries
 * @param {"events" | "deliveries" | undefined} of The total of which 1 % and 0.1 % are taken.
 */
async function deliverAll(store, deliveries, of) {
  const site = await InboxSite.open(store);
  try {
    const startMs = performance.now();
    let made = deliveries;
    const waiting = Array.from({ length: deliveries }, (_, number) => ({ number, name: number }));
    /** @type {Set<Promise<void>>} */
    const sending = new Set();
    while (waiting.length + sending.size > 0) {
      const next = waiting.shift();
      if (next) {
        const { number, name } = next;
        const sent = site
          .deliver(idsOf(number, name, of))
          // With another id, because it may be stored and only the answer lost.
          .then((isStored) => void (isStored || waiting.push({ number, name: made++ })))
          .finally(() => sending.delete(sent));
        sending.add(sent);
      }
      await pause(1_000 / DELIVERIES_PER_SECOND);
    }
    // Parking a payload that kills takes longest, because its attempts run alone.
    while (fate(site).lost > 0) await pause(50);
    const seconds = (performance.now() - startMs) / 1_000;
    const parked = await site.drained();
    const poisonous = [...site.starts()].filter(([id]) => isPoison(id));
    const starts = poisonous.map(([, count]) => count);
    const { acknowledged, lost, moreThanTwice } = fate(site);
    const restarts = site.restartsMs.length;
    return {
      acknowledged,
      lost,
      moreThanTwice,
      eventsPerSecond: Math.round(acknowledged / seconds),
      parked,
      poison: starts.length,
      fewestStarts: Math.min(...starts),
      mostStarts: Math.max(...starts),
      killingStarts: poisonous.filter(([id]) => id.startsWith("kill-")).map(([, count]) => count),
      deaths: site.deaths,
      restartMs: Math.round(site.restartsMs.reduce((sum, ms) => sum + ms, 0) / restarts),
    };
  } finally {
    await site.close();
  }
}

/**
 * Returns the ids of the elements of one delivery. Of 1,000 deliveries (or events), ten contain an
 * element that always fails, and one contains an element that kills.
 *
 * @param {number} number
 * @param {number} name
 * @param {"events" | "deliveries" | undefined} of
 */
function idsOf(number, name, of) {
  return Array.from({ length: PER_DELIVERY }, (_, at) => {
    const isChosen = of === "events" || at === 10;
    const place = of === "events" ? number * PER_DELIVERY + at : number;
    const isKilling = of && isChosen && place % 1_000 === 250;
    const isFailing = of && isChosen && place % 100 === 50 && !isKilling;
    return `${isKilling ? "kill" : isFailing ? "bad" : "good"}-${name}-${at}`;
  });
}
