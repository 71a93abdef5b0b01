import type { ThresholdPoint } from "@riskgate/core/internal";

/** Eighths of a block, from the lowest to the full one. */
const BARS = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588";

/** One column for two thresholds. */
const STEP = 2;

/** Draws both curves for a terminal, 51 columns wide. */
export function curveText(points: readonly ThresholdPoint[]): string {
  const shown = points.filter(({ threshold }) => threshold % STEP === 0);
  const row = (name: "precision" | "recall"): string =>
    `${name.padEnd(11)}${shown.map((point) => barOf(point[name])).join("")}\n`;
  const scale = `${"threshold".padEnd(11)}${"0".padEnd(25)}${"50".padEnd(23)}100\n`;
  return row("precision") + row("recall") + scale;
}

function barOf(share: number | null): string {
  if (share === null) return " ";
  return BARS[Math.min(BARS.length - 1, Math.floor(share * BARS.length))]!;
}
