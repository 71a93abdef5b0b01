import { parseArgs } from "node:util";
import { NAMES } from "./comparison.mjs";

export const HELP = `Measure riskgate, its peers and the least possible code.

  node bench/run.mjs [name ...] [options]

Comparisons: ${NAMES.join(", ")}. Default: all.

  --rounds N    rounds of each case (default: set by the case, mostly 9)
  --json FILE   write all results to a file
  --docs        write tables and pictures to bench/results.md
  --quick       one short round of each case, to check that everything runs
  --help        show this text

Figures are medians over all rounds. A round measures every variant once. Ratios are taken within a
round, so read them first. The exit code is 1 if a benchmark fails, whatever the figures are.`;

/**
 * @typedef {object} Arguments
 * @property {readonly string[]} names
 * @property {number} [rounds]
 * @property {string | undefined} [json]
 * @property {boolean | undefined} [docs]
 * @property {boolean | undefined} [help]
 * @property {string} [problem] Why the arguments are wrong.
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
    if (unknown !== undefined) return problem(`unknown comparison "${unknown}"`);
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
