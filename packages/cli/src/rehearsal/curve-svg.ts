import type { ThresholdPoint } from "@riskgate/core/internal";

export interface Mark {
  readonly name: string;
  readonly threshold: number;
}

const WIDTH = 720;
const HEIGHT = 420;
const AREA = { left: 60, top: 40, width: 620, height: 300 } as const;

/** Distinguishable for colour-blind readers, and in black and white. */
const CURVES = [
  { name: "precision", colour: "#0072b2", dashes: "" },
  { name: "recall", colour: "#d55e00", dashes: ' stroke-dasharray="7 4"' },
] as const;

/** Draws precision and recall over the threshold, as an SVG document. */
export function curveSvg(points: readonly ThresholdPoint[], marks: readonly Mark[]): string {
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" font-family="sans-serif" font-size="13">`,
    "<title>Precision and recall by threshold</title>",
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    ...grid(),
    ...marks.map(markLine),
    ...CURVES.flatMap(({ name, colour, dashes }) =>
      linesOf(points, name).map(
        (line) =>
          `<polyline points="${line}" fill="none" stroke="${colour}" stroke-width="2"${dashes}/>`,
      ),
    ),
    ...CURVES.flatMap(legend),
    "</svg>",
  ];
  return `${parts.join("\n")}\n`;
}

const xOf = (threshold: number): string => (AREA.left + (threshold / 100) * AREA.width).toFixed(1);
const yOf = (share: number): string => (AREA.top + (1 - share) * AREA.height).toFixed(1);

function grid(): string[] {
  const [left, right] = [xOf(0), xOf(100)];
  const [bottom, top] = [yOf(0), yOf(1)];
  const steps = [0, 20, 40, 60, 80, 100];
  return [
    ...steps.map((step) => {
      const y = yOf(step / 100);
      return `<path d="M${left} ${y}H${right}" stroke="#ddd"/><text x="52" y="${y}" dy="4" text-anchor="end">${step}%</text>`;
    }),
    ...steps.map((step) => {
      const x = xOf(step);
      return `<path d="M${x} ${bottom}v5" stroke="#333"/><text x="${x}" y="360" text-anchor="middle">${step}</text>`;
    }),
    `<path d="M${left} ${top}V${bottom}H${right}" fill="none" stroke="#333"/>`,
    `<text x="${xOf(50)}" y="382" text-anchor="middle">Threshold: scores above it are found</text>`,
  ];
}

function markLine({ name, threshold }: Mark): string {
  const x = xOf(threshold);
  return `<path d="M${x} ${yOf(1)}V${yOf(0)}" stroke="#666" stroke-dasharray="2 3"/><text x="${x}" y="34" text-anchor="middle" fill="#444">${name} ${threshold}</text>`;
}

/** Points of a curve; a threshold that finds nothing has no precision and leaves a gap. */
function linesOf(points: readonly ThresholdPoint[], name: "precision" | "recall"): string[] {
  const lines: string[][] = [[]];
  for (const point of points) {
    const share = point[name];
    if (share === null) lines.push([]);
    else lines.at(-1)!.push(`${xOf(point.threshold)},${yOf(share)}`);
  }
  return lines.filter((line) => line.length > 0).map((line) => line.join(" "));
}

function legend({ name, colour, dashes }: (typeof CURVES)[number], at: number): string[] {
  const x = AREA.left + at * 120;
  return [
    `<path d="M${x} 404h28" stroke="${colour}" stroke-width="2"${dashes}/>`,
    `<text x="${x + 36}" y="408">${name}</text>`,
  ];
}
