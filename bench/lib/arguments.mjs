import { parseArgs } from "node:util";
import { NAMES } from "./comparison.mjs";

export const HELP = `Measure riskgate beside its peers and beside the least that can be done.

  node bench/run.mjs [name ...] [options]

Comparisons: ${NAMES.join(", ")}. All of them unless named.

  --rounds N    rounds of each case, instead of its own number (9 for most)
  --json FILE   write all results to a file
  --docs        put tables and pictures into bench/results.md
  --quick       the short form: one short round of each case, only to see that everything runs
  --help        this text

Figures are medians over the rounds. A round measures every variant once, in turn, and ratios are
taken within a round: read them before the figures. The exit code is 1 when a benchmark is broken,
whatever the figures are.`;

/**
 * @typedef {object} Arguments
 * @property {readonly string[]} names
 * @property {number} [rounds]
 * @property {string | undefined} [json]
 * @property {boolean | undefined} [docs]
 * @property {boolean | undefined} [help]
 * @property {string} [problem] What is wrong with the arguments.
 */

/** @param {string[]} args @returns {Arguments} */
export function readArguments(args) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        rounds: { type: "string" },
        json: { type: "string" },
        docs: { type: "boolean" },
        quick: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
    const unknown = positionals.find((name) => !NAMES.some((known) => known === name));
    if (unknown !== undefined) return problem(`there is no comparison "${unknown}"`);
    const { rounds = "", json, docs, help } = values;
    const plain = { names: positionals.length > 0 ? positionals : NAMES, json, docs, help };
    if (values.rounds === undefined) return plain;
    if (!/^[1-9]\d{0,3}$/.test(rounds)) return problem("--rounds must be a whole number above 0");
    return { ...plain, rounds: Number(rounds) };
  } catch (error) {
    return problem(error instanceof Error ? error.message : String(error));
  }
}

/** @param {string} text @returns {Arguments} */
const problem = (text) => ({ names: [], problem: text });
