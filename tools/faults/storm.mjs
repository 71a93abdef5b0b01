import { setTimeout as pause } from "node:timers/promises";
import { fate, InboxSite } from "./inbox-site.mjs";

const PER_DELIVERY = 20;
const DELIVERIES_PER_SECOND = 50;
/** Limit on a quiet machine; on a busy one, only an application that never recovers takes longer. */
const LONGEST_RECOVERY_MS = { long: 5_000, short: 25_000 };

/** Two of five kills hit the application, two hit Redis, and one hits both. */
const VICTIMS = /** @type {const} */ (["app", "redis", "both", "redis", "app"]);

/** @typedef {"app" | "redis" | "both"} Victim */

/** @type {import("./run.mjs").Scenario} */
export const storm = {
  name: "storm",
  about: "50 deliveries a second of 20 events; the application, the store or both are killed",
  stores: ["redis", "sqlite"],
  async run({ store, isLong, scale }) {
    const events = isLong ? 120_000 * scale : 4_000;
    const count = isLong ? Math.round(50 * scale) : 3;
    const kills = Array.from({ length: count }, (_, index) =>
      store === "redis" ? VICTIMS[index % VICTIMS.length] : "app",
    );
    const figures = await weather(store, events, /** @type {Victim[]} */ (kills));
    const broken = [];
    const { lost, acknowledged, moreThanTwice, answers, recoveryMs } = figures;
    if (lost > 0) broken.push(`${lost} events were acknowledged and lost`);
    const wrong = Object.keys(answers).filter(
      (answer) => !/^(202|503|refused|reset)$/.test(answer),
    );
    if (wrong.length > 0) broken.push(`answers other than 2xx, 503, broken: ${wrong.join(", ")}`);
    if (recoveryMs > LONGEST_RECOVERY_MS[isLong ? "long" : "short"])
      broken.push(`the first 2xx came ${recoveryMs} ms late`);
    if (moreThanTwice > acknowledged / 1_000) {
      broken.push(`${moreThanTwice} events were handled more than twice`);
    }
    return { figures, broken };
  },
};

/**
 * Delivers, kills, restarts, waits until everything is handled, and counts.
 *
 * @param {string} store
 * @param {number} events Number to acknowledge before the run ends.
 * @param {readonly Victim[]} kills In order, at equal distances.
 */
async function weather(store, events, kills) {
  const startMs = performance.now();
  const site = await InboxSite.open(store);
  try {
    /** From the moment that everything is back to the first 202. @type {number[]} */
    const recoveriesMs = [];
    let backMs = /** @type {number | undefined} */ (undefined);
    site.onAcknowledged = () => {
      if (backMs !== undefined) recoveriesMs.push(performance.now() - backMs);
      backMs = undefined;
    };
    const kill = async (/** @type {Victim} */ victim) => {
      await Promise.all([
        victim !== "redis" && site.stop("SIGKILL"),
        victim !== "app" && site.redis?.kill(),
      ]);
      if (victim !== "app") await site.redis?.start();
      if (victim !== "redis") await site.start();
      backMs = performance.now();
    };
    const distance = events / (kills.length + 1);
    /** @type {Set<Promise<unknown>>} */
    const sending = new Set();
    let killed = 0;
    let killing = Promise.resolve();
    for (let number = 0; site.acknowledged.length < events; number++) {
      const victim = kills[killed];
      if (victim && site.acknowledged.length >= distance * (killed + 1)) {
        // The sender continues meanwhile.
        killing = killing.then(async () => kill(victim));
        killed++;
      }
      const ids = Array.from({ length: PER_DELIVERY }, (_, at) => `good-${number}-${at}`);
      const sent = site.deliver(ids).finally(() => sending.delete(sent));
      sending.add(sent);
      await pause(1_000 / DELIVERIES_PER_SECOND);
    }
    await killing;
    await Promise.all(sending);
    await site.drained();
    const recoveryMs = Math.round(Math.max(0, ...recoveriesMs));
    const seconds = Math.round((performance.now() - startMs) / 1_000);
    return { ...fate(site), kills: kills.length, answers: site.answers, recoveryMs, seconds };
  } finally {
    await site.close();
  }
}
