import { digits, labelOf, spread } from "./figures.mjs";

/**
 * @typedef {object} Target
 * @property {string} id
 * @property {string} variant
 * @property {string} [against] Variant to compare with; not for a plain value.
 * @property {string} figure
 * @property {"ratio" | "added" | "value"} as `variant / against`, `variant - against`, or `variant`.
 * @property {number} [atMost]
 * @property {number} [atLeast]
 */

/**
 * Compare what was measured with a target, round by round.
 *
 * @param {Target} target
 * @param {readonly Map<string, Record<string, number>>[]} rounds
 */
export function judge(target, rounds) {
  const { id, variant, against = variant, figure, as, atMost, atLeast } = target;
  const { median } = spread(
    rounds.map((round) => {
      const own = round.get(variant)?.[figure] ?? NaN;
      const other = round.get(against)?.[figure] ?? NaN;
      if (as === "value") return own;
      return as === "ratio" ? own / other : own - other;
    }),
  );
  if (Number.isNaN(median)) throw new Error(`target ${id} names something that is not measured`);
  const isMet = median <= (atMost ?? Infinity) && median >= (atLeast ?? -Infinity);
  const sign = as === "ratio" ? "x" : "";
  const bound = atMost === undefined ? `>= ${atLeast}${sign}` : `<= ${atMost}${sign}`;
  return { id, what: wordsFor(target), bound, measured: `${digits(median)}${sign}`, isMet };
}

/** @param {Target} target */
function wordsFor({ variant, against, figure, as }) {
  if (as === "value") return `${variant}, ${labelOf(figure)}`;
  return `${variant} ${as === "ratio" ? "/" : "-"} ${against}, ${labelOf(figure)}`;
}
