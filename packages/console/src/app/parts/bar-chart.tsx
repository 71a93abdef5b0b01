import { type ScaleLinear, scaleLinear, type ScaleTime, scaleUtc } from "d3-scale";
import { type Series, stack } from "d3-shape";
import type { ReactNode } from "react";
import type { Axis, Counted } from "../chart-steps.js";
import { shownCount, shownStep, shownTick } from "../shown-value.js";
import { useWidth } from "./use-width.js";

export interface BarSeries<Name extends string> {
  readonly name: Name;
  /** Name in the legend. */
  readonly title: string;
  /** Beside the title instead of the total. */
  readonly figure?: number;
}

const HEIGHT = 128;
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
  axis,
  countedSinceMs,
}: {
  readonly label: string;
  readonly series: readonly BarSeries<Name>[];
  /** One for each step, oldest first, without gaps. */
  readonly steps: readonly Counted<Name>[];
  readonly stepMs: number;
  readonly axis: Axis;
  /** Earlier times are shown as unknown. */
  readonly countedSinceMs?: number | undefined;
}): ReactNode {
  const [place, width] = useWidth<SVGSVGElement>();
  const shown = steps.filter(
    ({ startMs }) => startMs + stepMs > axis.fromMs && startMs < axis.endMs,
  );
  const titles = new Map<string, string>(series.map(({ name, title }) => [name, title]));
  const totals = series.map(({ name }) => shown.reduce((sum, { counts }) => sum + counts[name], 0));
  const figures = series.map(({ figure }, index) => figure ?? totals[index] ?? 0);
  const layers = stack<Counted<Name>, Name>()
    .keys(series.map(({ name }) => name))
    .value(({ counts }, name) => counts[name])(shown);
  const highest = Math.max(4, ...(layers.at(-1) ?? []).map(([, top]) => top));
  const x = scaleUtc(
    [new Date(axis.fromMs), new Date(axis.endMs)],
    [LEFT, Math.max(LEFT, width)],
  ).clamp(true);
  const unknown = countedSinceMs === undefined ? 0 : x(countedSinceMs) - LEFT;
  const y = scaleLinear([0, highest], [HEIGHT, 4]).nice(4);
  return (
    <figure className="chart">
      <svg ref={place} height={HEIGHT + FOOT} role="img" aria-label={label}>
        <Unknown width={unknown} />
        {y.ticks(4).map((count) => (
          <g key={count}>
            <line x1={LEFT} x2={width} y1={y(count)} y2={y(count)} />
            <text x={LEFT - 8} y={y(count) + 4} textAnchor="end">
              {shownCount(count)}
            </text>
          </g>
        ))}
        <Bars layers={layers} shown={shown} titles={titles} x={x} y={y} stepMs={stepMs} />
        {x
          .ticks(Math.max(1, Math.floor((width - LEFT) / TICK)))
          .filter((time) => x(time) - LEFT > 12 && width - x(time) > 20)
          .map((time) => (
            <text key={time.getTime()} x={x(time)} y={HEIGHT + 17} textAnchor="middle">
              {shownTick(time.getTime())}
            </text>
          ))}
      </svg>
      <Legend series={series} figures={figures} />
    </figure>
  );
}

/** The bars of each series, above those of the series before. */
function Bars<Name extends string>({
  layers,
  shown,
  titles,
  x,
  y,
  stepMs,
}: {
  readonly layers: readonly Series<Counted<Name>, Name>[];
  readonly shown: readonly Counted<Name>[];
  readonly titles: ReadonlyMap<string, string>;
  readonly x: ScaleTime<number, number>;
  readonly y: ScaleLinear<number, number>;
  readonly stepMs: number;
}): ReactNode {
  const [left = 0] = x.range();
  const [from = new Date(0)] = x.domain();
  const gap = Math.min(1, (x(from.getTime() + stepMs) - left) * 0.12);
  return layers.map((layer) => (
    <g key={layer.key} className={layer.key}>
      {layer.map(([low, high], index) => {
        if (high === low) return null;
        const at = shown[index]!.startMs;
        // A count of one among thousands remains visible.
        const height = Math.max(1.5, y(low) - y(high));
        return (
          <rect
            key={at}
            x={x(at) + gap}
            y={y(low) - height}
            width={Math.max(1, x(at + stepMs) - x(at) - 2 * gap)}
            height={height}
            rx={gap < 1 ? 0 : 1.5}
          >
            <title>{`${shownStep(at)}: ${shownCount(high - low)} ${titles.get(layer.key)}`}</title>
          </rect>
        );
      })}
    </g>
  ));
}

/** The time before the first count. */
function Unknown({ width }: { readonly width: number }): ReactNode {
  if (width <= 4) return null;
  return (
    <g className="unknown">
      <rect x={LEFT} y={4} width={width} height={HEIGHT - 4} />
      {width > 90 && (
        <text x={LEFT + width / 2} y={HEIGHT / 2} textAnchor="middle">
          not counted
        </text>
      )}
    </g>
  );
}

/** The series with counts; the others are not shown. */
function Legend({
  series,
  figures,
}: {
  readonly series: readonly BarSeries<string>[];
  readonly figures: readonly number[];
}): ReactNode {
  return (
    <figcaption className="legend">
      {figures.every((one) => one === 0) && <small>None in this period.</small>}
      {series.map(({ name, title }, index) => {
        const figure = figures[index] ?? 0;
        if (figure === 0) return null;
        return (
          <span key={name} className={name}>
            {title} <b>{shownCount(figure)}</b>
          </span>
        );
      })}
    </figcaption>
  );
}
