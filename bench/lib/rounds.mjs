import { spread } from "./figures.mjs";
import { watchOthers } from "./machine.mjs";
import { quick } from "./settings.mjs";
import { judge } from "./targets.mjs";

/** If other processes use more processors than this, a round is not reliable. */
const BUSY = 0.8;

/** Rounds of a case that may be repeated because the machine was busy. */
const MOST_REPEATS = quick ? 0 : 5;

const DEFAULT_ROUNDS = 9;

/**
 * @typedef {Record<string, number>} Figures
 * @typedef {object} Variant
 * @property {string} name
 * @property {() => Promise<Figures> | Figures} measure
 * @property {() => unknown} [warmUp] Replaces the measurement that warms up.
 * @property {number} [warmUps] Repetitions, in turn with the other variants; default 1.
 * @typedef {object} Case
 * @property {string} name
 * @property {string} figure Main figure.
 * @property {boolean} [higher] More of it is better.
 * @property {string} baseline Variant that ratios are to.
 * @property {number} [rounds]
 * @property {number} [generations] Number of times that `open` runs within the rounds.
 * @property {boolean} [warmUp] False if each measurement starts a new process.
 * @property {() => Promise<{ variants: Variant[], close?: () => unknown }>} open
 * @property {import("./targets.mjs").Target[]} [targets]
 */

/**
 * Measures all variants of a case round by round, each round in another order.
 *
 * @param {Case} plan
 * @param {number | undefined} wantedRounds
 * @param {(done: number, of: number, note: string) => void} progress
 */
export async function runCase(plan, wantedRounds, progress) {
  const rounds = quick ? 1 : (wantedRounds ?? plan.rounds ?? DEFAULT_ROUNDS);
  const generations = Math.min(plan.generations ?? 1, rounds);
  /** @type {Map<string, Figures>[]} */
  const taken = [];
  let repeated = 0;
  let busy = 0;
  for (let generation = 1; generation <= generations; generation++) {
    const { variants, close } = await plan.open();
    try {
      if (plan.warmUp !== false) {
        progress(taken.length, rounds, "warm-up");
        await warmUpAll(variants);
      }
      while (taken.length < Math.round((rounds * generation) / generations)) {
        progress(taken.length, rounds, `round ${taken.length + 1}`);
        const others = watchOthers();
        const round = await runRound(variants, taken.length + repeated);
        if (others() > BUSY && repeated < MOST_REPEATS) {
          repeated++;
          progress(taken.length, rounds, "the machine was busy: once more");
          continue;
        }
        if (others() > BUSY) busy++;
        taken.push(round);
      }
    } finally {
      await close?.();
    }
  }
  return summarize(plan, taken, { repeated, busy });
}

/** @param {Variant[]} variants */
async function warmUpAll(variants) {
  const turns = Math.max(...variants.map(({ warmUps = 1 }) => warmUps));
  for (let turn = 0; turn < turns; turn++) {
    for (const { warmUp, warmUps = 1, measure } of variants) {
      if (turn < warmUps) await (warmUp ?? measure)();
    }
  }
}

/**
 * Measures each variant once.
 *
 * A round starts one variant later than the round before and uses another step, so no variant always
 * follows the same one: the next variant pays for the garbage of the one before.
 *
 * @param {Variant[]} variants
 * @param {number} turn
 */
async function runRound(variants, turn) {
  const count = variants.length;
  const steps = variants.map((_, index) => index + 1).filter((step) => gcd(step, count) === 1);
  const step = steps[turn % steps.length] ?? 1;
  /** @type {Map<string, Figures>} */
  const round = new Map();
  for (let index = 0; index < count; index++) {
    const variant = /** @type {Variant} */ (variants[(turn + index * step) % count]);
    round.set(variant.name, await variant.measure());
  }
  // In the order of the case.
  return new Map(variants.map(({ name }) => [name, round.get(name) ?? {}]));
}

/** @param {number} one @param {number} other @returns {number} */
function gcd(one, other) {
  return other === 0 ? one : gcd(other, one % other);
}

/**
 * @param {Case} plan
 * @param {Map<string, Figures>[]} rounds
 * @param {{ repeated: number, busy: number }} trouble
 */
function summarize(plan, rounds, trouble) {
  const { name, figure, higher = false, baseline } = plan;
  const variants = [...(rounds[0] ?? new Map()).entries()].map(([variant, first]) => ({
    name: /** @type {string} */ (variant),
    figures: Object.fromEntries(
      Object.keys(first).map((key) => [
        key,
        spread(rounds.map((round) => round.get(variant)?.[key] ?? NaN)),
      ]),
    ),
    ratio: spread(
      rounds.map((round) => {
        return (round.get(variant)?.[figure] ?? NaN) / (round.get(baseline)?.[figure] ?? NaN);
      }),
    ),
  }));
  const targets = (plan.targets ?? []).map((target) => judge(target, rounds));
  return { name, figure, higher, baseline, rounds: rounds.length, ...trouble, variants, targets };
}

/** @typedef {ReturnType<typeof summarize>} CaseResult */
