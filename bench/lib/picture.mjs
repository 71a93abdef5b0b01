import { digits, labelOf } from "./figures.mjs";

const WIDTH = 760;
const LABELS = 250;
const BARS = 330;
const ROW = 20;
const PAD = 16;

/** From this ratio between the longest bar and the shortest on, lengths are logarithmic. */
const LOG_FROM = 40;

/**
 * Draw a comparison: a group of bars for each case, our own in colour.
 *
 * @param {string} title
 * @param {readonly import("./rounds.mjs").CaseResult[]} cases
 */
export function draw(title, cases) {
  let y = PAD + 18;
  const parts = [text(PAD, y, title, "title")];
  for (const result of cases) {
    y += 34;
    const { figure, higher, variants } = result;
    const values = variants.map(({ figures }) => figures[figure]?.median ?? NaN);
    const lengthOf = scale(values);
    const better = higher ? "more is better" : "less is better";
    const logarithmic = lengthOf.isLog ? ", logarithmic" : "";
    parts.push(
      text(PAD, y, `${result.name} (${labelOf(figure)}; ${better}${logarithmic})`, "case"),
    );
    y += 8;
    variants.forEach(({ name, ratio }, index) => {
      const value = values[index] ?? NaN;
      const length = lengthOf.of(value);
      const kind = name.startsWith("riskgate") ? "own" : "other";
      const figureText = `${digits(value)} (${digits(ratio.median)}x)`;
      parts.push(
        text(PAD + LABELS - 8, y + 14, name, "label"),
        `<rect class="${kind}" x="${PAD + LABELS}" y="${y + 3}" width="${length.toFixed(1)}" height="${ROW - 6}" rx="2"/>`,
        text(PAD + LABELS + length + 6, y + 14, figureText, "value"),
      );
      y += ROW;
    });
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

/** @param {readonly number[]} values */
function scale(values) {
  const positive = values.filter((value) => value > 0);
  const most = Math.max(...positive);
  const least = Math.min(...positive);
  const isLog = most / least > LOG_FROM;
  // The shortest bar of a logarithmic scale still stands for something.
  const floor = Math.log(least / 2);
  return {
    isLog,
    /** @param {number} value */
    of(value) {
      if (!(value > 0)) return 0;
      if (!isLog) return (BARS * value) / most;
      return (BARS * (Math.log(value) - floor)) / (Math.log(most) - floor);
    },
  };
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
