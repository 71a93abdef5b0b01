import { digits, labelOf } from "./figures.mjs";

const WIDTH = 760;
const LABELS = 250;
const BARS = 330;
const ROW = 20;
const PAD = 16;

/**
 * Draws a comparison: a group of bars for each case, ours in colour. The length of a bar is the ratio
 * of its variant in the table, on a linear axis that starts at 0.
 *
 * @param {string} title
 * @param {readonly import("./rounds.mjs").CaseResult[]} cases
 */
export function draw(title, cases) {
  let y = PAD + 18;
  const parts = [text(PAD, y, title, "title")];
  for (const result of cases) {
    y += 34;
    const { figure, higher, baseline, variants } = result;
    const longest = Math.max(...variants.map(({ ratio }) => ratio.median).filter(Number.isFinite));
    const better = higher ? "more is better" : "less is better";
    const heading = `${result.name} (${labelOf(figure)}, times that of ${baseline}; ${better})`;
    parts.push(text(PAD, y, heading, "case"));
    y += 8;
    for (const { name, ratio, figures } of variants) {
      const length = ratio.median > 0 ? (BARS * ratio.median) / longest : 0;
      const kind = name.startsWith("riskgate") ? "own" : "other";
      const label = `${digits(ratio.median)}x (${digits(figures[figure]?.median ?? NaN)})`;
      parts.push(
        text(PAD + LABELS - 8, y + 14, name, "label"),
        `<rect class="${kind}" x="${PAD + LABELS}" y="${y + 3}" width="${length.toFixed(1)}" height="${ROW - 6}" rx="2"/>`,
        text(PAD + LABELS + length + 6, y + 14, label, "value"),
      );
      y += ROW;
    }
  }
  const height = y + PAD;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escape(title)}">
<style>
text { font: 12px system-ui, sans-serif; fill: #333 }
.title { font-size: 16px; font-weight: 600 }
.case { font-weight: 600 }
.label { text-anchor: end }
.own { fill: #0b7a53 }
.other { fill: #b8bfc7 }
</style>
<rect width="100%" height="100%" fill="#fff"/>
${parts.join("\n")}
</svg>
`;
}

/** @param {number} x @param {number} y @param {string} content @param {string} kind */
const text = (x, y, content, kind) =>
  `<text class="${kind}" x="${x.toFixed(1)}" y="${y}">${escape(content)}</text>`;

/** @param {string} content */
const escape = (content) =>
  content
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
