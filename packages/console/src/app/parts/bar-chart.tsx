import { scaleLinear, scaleUtc } from "d3-scale";
import { stack } from "d3-shape";
import type { ReactNode } from "react";
import type { Counted } from "../chart-steps.js";
import { shownCount, shownStep, shownTick } from "../shown-value.js";
import { useWidth } from "./use-width.js";

export interface BarSeries<Name extends string> {
  readonly name: Name;
  /** Name in the legend. */
  readonly title: string;
  /** Beside the title instead of the total. */
  readonly figure?: number;
}

const HEIGHT = 168;
const FOOT = 22;
const LEFT = 40;

/** Pixels between two times on the axis. */
const TICK = 96;

/** Counts over time as stacked bars, with their totals as legend. */
export function BarChart<Name extends string>({
  label,
  series,
  steps,
  stepMs,
}: {
  readonly label: string;
  readonly series: readonly BarSeries<Name>[];
  /** One for each step, oldest first, without gaps. */
  readonly steps: readonly Counted<Name>[];
  readonly stepMs: number;
}): ReactNode {
  const [place, width] = useWidth<SVGSVGElement>();
  const totals = series.map(({ name }) => steps.reduce((sum, { counts }) => sum + counts[name], 0));
  const first = steps.at(0)?.startMs ?? 0;
  const end = (steps.at(-1)?.startMs ?? 0) + stepMs;
  const layers = stack<Counted<Name>, Name>()
    .keys(series.map(({ name }) => name))
    .value(({ counts }, name) => counts[name])(steps);
  const highest = Math.max(4, ...(layers.at(-1) ?? []).map(([, top]) => top));
  const x = scaleUtc([new Date(first), new Date(end)], [LEFT, Math.max(LEFT, width)]);
  const y = scaleLinear([0, highest], [HEIGHT, 4]).nice(4);
  const bar = (width - LEFT) / Math.max(1, steps.length);
  return (
    <figure className="chart">
      <svg ref={place} height={HEIGHT + FOOT} role="img" aria-label={label}>
        {y.ticks(4).map((count) => (
          <g key={count}>
            <line x1={LEFT} x2={width} y1={y(count)} y2={y(count)} />
            <text x={LEFT - 8} y={y(count) + 4} textAnchor="end">
              {shownCount(count)}
            </text>
          </g>
        ))}
        {layers.map((layer) => (
          <g key={layer.key} className={layer.key}>
            {layer.map(([low, high], index) => {
              if (high === low) return null;
              const at = steps[index]!.startMs;
              // A count of one among thousands remains visible.
              const height = Math.max(1.5, y(low) - y(high));
              return (
                <rect
                  key={at}
                  x={x(at) + Math.min(1, bar * 0.12)}
                  y={y(low) - height}
                  width={Math.max(1, bar - Math.min(2, bar * 0.24))}
                  height={height}
                  rx={bar > 8 ? 1.5 : 0}
                >
                  <title>{`${shownStep(at)}: ${shownCount(high - low)} ${layer.key}`}</title>
                </rect>
              );
            })}
          </g>
        ))}
        {x
          .ticks(Math.max(1, Math.floor((width - LEFT) / TICK)))
          .filter((time) => x(time) - LEFT > 12 && width - x(time) > 20)
          .map((time) => (
            <text key={time.getTime()} x={x(time)} y={HEIGHT + 17} textAnchor="middle">
              {shownTick(time.getTime())}
            </text>
          ))}
      </svg>
      <figcaption className="legend">
        {series.map(({ name, title, figure }, index) => (
          <span key={name} className={name}>
            {title} <b>{shownCount(figure ?? totals[index] ?? 0)}</b>
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
