import type { Overview } from "@riskgate/api-types";
import { FLAG_ABOVE, REJECT_ABOVE } from "@riskgate/core";
import { type ReactNode, useEffect, useRef } from "react";
import uPlot from "uplot";
import { shownCount, shownTick } from "../shown-value.js";

const HEIGHT = 220;
const DAY_MS = 86_400_000;

const MEANINGS = {
  allow: `score up to ${FLAG_ABOVE}`,
  flag: `above ${FLAG_ABOVE}`,
  reject: `above ${REJECT_ABOVE}`,
  refused: "invalid request",
  failed: "not answered",
} as const;

const LOOKUP_OUTCOMES = Object.keys(MEANINGS) as (keyof typeof MEANINGS)[];

/** Lookups of the last day by outcome, as a chart over time and as totals. */
export function LookupChart({ lookups }: { readonly lookups: Overview["lookups"] }): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const legend = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const [element, words] = [place.current!, legend.current!];
    const data = seriesOf(lookups);
    let plot: uPlot | undefined;
    const draw = (): void => {
      plot?.destroy();
      plot = new uPlot(optionsOf(element.clientWidth, words), data, element);
    };
    const resized = new ResizeObserver(() => {
      plot?.setSize({ width: element.clientWidth, height: HEIGHT });
    });
    const theme = matchMedia("(prefers-color-scheme: dark)");
    draw();
    resized.observe(element);
    theme.addEventListener("change", draw);
    return () => {
      resized.disconnect();
      theme.removeEventListener("change", draw);
      plot?.destroy();
    };
  }, [lookups]);
  return (
    <figure className="chart">
      <div ref={place} role="img" aria-label="Lookups of the last day; the totals are below" />
      <figcaption className="legend" ref={legend}>
        {LOOKUP_OUTCOMES.map((outcome) => (
          <span key={outcome} className={outcome}>
            {outcome} ({MEANINGS[outcome]}):{" "}
            {shownCount(lookups.steps.reduce((sum, step) => sum + step[outcome], 0))}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** One value for each step of the last day, 0 for a step without lookups. */
function seriesOf({ stepMs, steps }: Overview["lookups"]): uPlot.AlignedData {
  const byStart = new Map(steps.map((step) => [Date.parse(step.at), step]));
  const last = Math.floor(Date.now() / stepMs) * stepMs;
  const starts = Array.from(
    { length: DAY_MS / stepMs },
    (_, index) => last - (DAY_MS / stepMs - 1 - index) * stepMs,
  );
  return [
    starts.map((start) => start / 1000),
    ...LOOKUP_OUTCOMES.map((outcome) => starts.map((start) => byStart.get(start)?.[outcome] ?? 0)),
  ];
}

function optionsOf(width: number, legend: HTMLElement): uPlot.Options {
  const colourOf = (outcome: string): string =>
    getComputedStyle(legend.querySelector(`.${outcome}`)!, "::before").backgroundColor;
  const dim = getComputedStyle(legend).color;
  const axis = { stroke: dim, grid: { stroke: dim, width: 0.25 }, ticks: { show: false } };
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_plot, _min, max) => [0, Math.max(4, max * 1.1)] } },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    axes: [
      { ...axis, label: "UTC", labelSize: 16, values: (_plot, times) => times.map(shownTick) },
      { ...axis, size: 50 },
    ],
    series: [
      {},
      ...LOOKUP_OUTCOMES.map((outcome) => ({
        label: outcome,
        stroke: colourOf(outcome),
        width: 2,
        points: { show: false },
      })),
    ],
  };
}
