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
    const deliveries = isLong ? Math.max(1_000, 4_000 * scale) : 500;
    const clean = await deliverAll(store, deliveries, false);
    const figures = await deliverAll(store, deliveries, true);
    const share = Math.round((100 * figures.eventsPerSecond) / clean.eventsPerSecond) / 100;
    const broken = [];
    if (figures.lost > 0) broken.push(`${figures.lost} events were acknowledged and lost`);
    if (figures.parked !== figures.poison) {
      broken.push(`${figures.parked} parked of ${figures.poison}`);
    }
    const { fewestStarts, mostStarts } = figures;
    if (fewestStarts !== MAX_ATTEMPTS || mostStarts !== MAX_ATTEMPTS) {
      broken.push(`poison was parked after ${fewestStarts} to ${mostStarts} attempts`);
    }
    if (share < LEAST_SHARE) broken.push(`throughput is ${share} of the run without poison`);
    return { figures: { share, without: clean.eventsPerSecond, ...figures }, broken };
  },
};

/**
 * Deliver so many at a steady pace, and again what is not acknowledged, until all are handled.
 *
 * @param {string} store
 * @param {number} deliveries
 * @param {boolean} isPoisoned
 */
async function deliverAll(store, deliveries, isPoisoned) {
  const site = await InboxSite.open(store);
  try {
    const startMs = performance.now();
    const waiting = Array.from({ length: deliveries }, (_, number) => number);
    /** @type {Set<Promise<void>>} */
    const sending = new Set();
    while (waiting.length + sending.size > 0) {
      const number = waiting.shift();
      if (number !== undefined) {
        const sent = site
          .deliver(idsOf(number, isPoisoned))
          .then((isAcknowledged) => void (isAcknowledged || waiting.push(number)))
          .finally(() => sending.delete(sent));
        sending.add(sent);
      }
      await pause(1_000 / DELIVERIES_PER_SECOND);
    }
    const parked = await site.drained();
    const seconds = (performance.now() - startMs) / 1_000;
    const starts = [...site.starts()].filter(([id]) => isPoison(id)).map(([, count]) => count);
    const { acknowledged, lost } = fate(site);
    const restarts = site.restartsMs.length;
    return {
      acknowledged,
      lost,
      eventsPerSecond: Math.round(acknowledged / seconds),
      parked,
      poison: starts.length,
      fewestStarts: Math.min(...starts),
      mostStarts: Math.max(...starts),
      deaths: site.deaths,
      restartMs: Math.round(site.restartsMs.reduce((sum, ms) => sum + ms, 0) / restarts),
    };
  } finally {
    await site.close();
  }
}

/** Of 1,000 deliveries, ten hold an element that always fails, and one holds one that kills. */
function idsOf(/** @type {number} */ number, /** @type {boolean} */ isPoisoned) {
  const place = isPoisoned ? number % 1_000 : -1;
  const kind = place === 250 ? "kill" : place % 100 === 50 ? "bad" : "good";
  return Array.from(
    { length: PER_DELIVERY },
    (_, at) => `${at === 10 ? kind : "good"}-${number}-${at}`,
  );
}
