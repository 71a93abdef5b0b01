import { digits, labelOf, spread } from "./figures.mjs";

/**
 * @typedef {object} Target
 * @property {string} id
 * @property {string} variant
 * @property {string} [against] Variant to compare with; unused for a plain value.
 * @property {string} figure
 * @property {string} [base] Variant that both build on.
 * @property {"ratio" | "added" | "added ratio" | "value"} as `variant / against`,
 *   `variant - against`, `(variant - base) / (against - base)`, or `variant`.
 * @property {number} [atMost]
 * @property {number} [atLeast]
 */

/**
 * Compares the figures with a target, round by round.
 *
 * @param {Target} target
 * @param {readonly Map<string, Record<string, number>>[]} rounds
 */
export function judge(target, rounds) {
  const { id, variant, against = variant, base = variant, figure, as, atMost, atLeast } = target;
  /** @param {(own: number, other: number, least: number) => number} compare */
  const over = (compare) =>
    spread(
      rounds.map((round) => {
        const of = (/** @type {string} */ name) => round.get(name)?.[figure] ?? NaN;
        return compare(of(variant), of(against), of(base));
      }),
    ).median;
  const median = {
    value: () => over((own) => own),
    ratio: () => over((own, other) => own / other),
    added: () => over((own, other) => own - other),
    // Of medians, because the small difference of a single round is a bad divisor.
    "added ratio": () =>
      over((own, _, least) => own - least) / over((_, other, least) => other - least),
  }[as]();
  if (Number.isNaN(median)) throw new Error(`target ${id} names something that is not measured`);
  const isMet = median <= (atMost ?? Infinity) && median >= (atLeast ?? -Infinity);
  const sign = as.endsWith("ratio") ? "x" : "";
  const bound = atMost === undefined ? `>= ${atLeast}${sign}` : `<= ${atMost}${sign}`;
  return { id, what: wordsFor(target), bound, measured: `${digits(median)}${sign}`, isMet };
}

/** @param {Target} target */
function wordsFor({ variant, against, base, figure, as }) {
  const words = {
    value: variant,
    ratio: `${variant} / ${against}`,
    added: `${variant} - ${against}`,
    "added ratio": `(${variant} - ${base}) / (${against} - ${base})`,
  };
  return `${words[as]}, ${labelOf(figure)}`;
}
