import { runCase } from "./rounds.mjs";

/**
 * @typedef {object} Comparison
 * @property {string} name
 * @property {string} title
 * @property {string} about Subject and peers of the measurement.
 * @property {(options: { quick: boolean }) => import("./rounds.mjs").Case[]} cases
 */

/** All comparisons in the order of their runs. */
export const NAMES = /** @type {const} */ (["verify", "gate", "client", "service"]);

/**
 * Runs a comparison.
 *
 * @param {string} name
 * @param {{ quick: boolean, rounds: number | undefined, measuredOn: string,
 *   progress: (text: string) => void,
 *   report: (result: import("./rounds.mjs").CaseResult) => void }} options
 */
export async function compare(name, { quick, rounds, measuredOn, progress, report }) {
  const module = await import(new URL(`../comparisons/${name}.mjs`, import.meta.url).href);
  const { title, about, cases: plans } = /** @type {Comparison} */ (module.default);
  /** @type {import("./rounds.mjs").CaseResult[]} */
  const cases = [];
  for (const plan of plans({ quick })) {
    const result = await runCase(plan, rounds, (done, of, note) => {
      progress(`${name}: ${plan.name}: ${note} (${done} of ${of} rounds done)`);
    });
    report(result);
    cases.push(result);
  }
  return { name, title, about, measuredOn, cases };
}

/** @typedef {Awaited<ReturnType<typeof compare>>} ComparisonResult */
