import { setTimeout as pause } from "node:timers/promises";
import { fate, InboxSite } from "./inbox-site.mjs";

const PER_DELIVERY = 20;
const DELIVERIES_PER_SECOND = 50;
const LONGEST_STOP_MS = 10_000;

/** @type {import("./run.mjs").Scenario} */
export const shutdown = {
  name: "shutdown",
  about: "SIGTERM at random moments under load",
  stores: ["redis", "sqlite"],
  async run({ store, isLong }) {
    const figures = await stopAgainAndAgain(store, isLong ? 30 : 5);
    const broken = [];
    if (figures.lost > 0) broken.push(`${figures.lost} events were acknowledged and lost`);
    if (figures.exitCodes.some((code) => code !== 0)) {
      broken.push(`exit codes ${figures.exitCodes.join(", ")}`);
    }
    if (figures.longestStopMs > LONGEST_STOP_MS) broken.push(`${figures.longestStopMs} ms to stop`);
    return { figures, broken };
  },
};

/** @param {string} store @param {number} stops */
async function stopAgainAndAgain(store, stops) {
  const site = await InboxSite.open(store);
  try {
    /** @type {Set<Promise<unknown>>} */
    const sending = new Set();
    let number = 0;
    const timer = setInterval(() => {
      const ids = Array.from({ length: PER_DELIVERY }, (_, at) => `good-${number}-${at}`);
      number++;
      const sent = site.deliver(ids).finally(() => sending.delete(sent));
      sending.add(sent);
    }, 1_000 / DELIVERIES_PER_SECOND);
    const exitCodes = [];
    let longestStopMs = 0;
    for (let stop = 0; stop < stops; stop++) {
      const before = site.acknowledged.length;
      while (site.acknowledged.length === before) await pause(10);
      await pause(Math.random() * 1_000);
      const startMs = performance.now();
      exitCodes.push(await site.stop("SIGTERM"));
      longestStopMs = Math.max(longestStopMs, Math.round(performance.now() - startMs));
      await site.start();
    }
    clearInterval(timer);
    await Promise.all(sending);
    await site.drained();
    return { ...fate(site), answers: site.answers, longestStopMs, exitCodes };
  } finally {
    await site.close();
  }
}
