import type { IncidentHistory } from "@riskgate/api-types";
import { Ban, CircleStop, Flag, LockOpen, type LucideIcon, MessageSquare, Zap } from "lucide-react";
import { scaleLinear, scaleUtc } from "d3-scale";
import type { ReactNode } from "react";
import { type Marker, type MarkerKind, markersOf } from "../incident-markers.js";
import { shownCount, shownStep, shownTick, shownTime } from "../shown-value.js";
import { useWidth } from "./use-width.js";

const HEIGHT = 150;
const LANE = 30;
const FOOT = 22;
const LEFT = 40;
const TICK = 96;

const ICONS: Readonly<Record<MarkerKind, LucideIcon>> = {
  start: Zap,
  block: Ban,
  release: LockOpen,
  comment: MessageSquare,
  close: CircleStop,
  end: Flag,
};

/** Events over time, and above them what was done about them. */
export function IncidentChart({ history }: { readonly history: IncidentHistory }): ReactNode {
  const [place, width] = useWidth<SVGSVGElement>();
  const { stepMs, since, counts } = history.timeline;
  const startMs = Date.parse(since);
  const markers = markersOf(history);
  const lastMs = Math.max(
    startMs + Math.max(1, counts.length) * stepMs,
    ...markers.map(({ at }) => Date.parse(at)),
  );
  const marginMs = Math.max(0, SHORTEST_MS - (lastMs - startMs)) / 2;
  const fromMs = startMs - marginMs;
  const endMs = lastMs + marginMs;
  const x = scaleUtc([new Date(fromMs), new Date(endMs)], [LEFT, Math.max(LEFT, width - 8)]);
  const y = scaleLinear([0, Math.max(4, ...counts)], [LANE + HEIGHT, LANE + 4]).nice(4);
  const bar = x(startMs + stepMs) - x(startMs);
  const total = counts.reduce((sum, one) => sum + one, 0);
  const label = `${shownCount(total)} events from ${shownTime(since)} to ${shownTime(new Date(lastMs).toISOString())}`;
  return (
    <figure className="chart">
      <svg ref={place} height={LANE + HEIGHT + FOOT} role="img" aria-label={label}>
        {y.ticks(4).map((count) => (
          <g key={count}>
            <line x1={LEFT} x2={width} y1={y(count)} y2={y(count)} />
            <text x={LEFT - 8} y={y(count) + 4} textAnchor="end">
              {shownCount(count)}
            </text>
          </g>
        ))}
        <g className="events">
          {counts.map((count, step) => {
            if (count === 0) return null;
            const height = Math.max(2, y(0) - y(count));
            return (
              <rect
                key={step}
                x={x(startMs + step * stepMs) + Math.min(1, bar * 0.1)}
                y={y(0) - height}
                width={Math.max(3, bar - Math.min(2, bar * 0.2))}
                height={height}
                rx={bar > 8 ? 1.5 : 0}
              >
                <title>{`${shownStep(startMs + step * stepMs)}: ${shownCount(count)} events`}</title>
              </rect>
            );
          })}
        </g>
        {clustersOf(markers, (at) => x(at)).map(({ marker, at, others }) => (
          <MarkerPin key={`${marker.kind} ${marker.at}`} marker={marker} x={at} others={others} />
        ))}
        {x
          .ticks(Math.max(1, Math.floor((width - LEFT) / TICK)))
          .filter((time) => x(time) - LEFT > 12 && width - x(time) > 20)
          .map((time) => (
            <text key={time.getTime()} x={x(time)} y={LANE + HEIGHT + 17} textAnchor="middle">
              {endMs - fromMs < SECONDS_BELOW_MS
                ? time.toISOString().slice(11, 19)
                : shownTick(time.getTime())}
            </text>
          ))}
      </svg>
    </figure>
  );
}

function MarkerPin({
  marker: { kind, at, text },
  x,
  others,
}: {
  readonly marker: Marker;
  readonly x: number;
  readonly others: number;
}): ReactNode {
  const Icon = ICONS[kind];
  return (
    <g className={`pin ${kind}`}>
      <line x1={x} x2={x} y1={LANE - 6} y2={LANE + HEIGHT} />
      <circle cx={x} cy={LANE / 2} r={11} />
      <Icon x={x - 6.5} y={LANE / 2 - 6.5} width={13} height={13} aria-hidden />
      {others > 0 && (
        <text x={x + 14} y={LANE / 2 + 4}>
          +{others}
        </text>
      )}
      <title>{`${shownTime(at)}: ${text}`}</title>
    </g>
  );
}

/** Shortest time that a chart spans, so that a single event is not as wide as the chart. */
const SHORTEST_MS = 600_000;

/** Shorter charts have several times in a minute. */
const SECONDS_BELOW_MS = 900_000;

/** Pixels that a marker takes. */
const PIN = 36;

/** Leaves out markers that would cover others, and counts them. */
function clustersOf(
  markers: readonly Marker[],
  x: (atMs: number) => number,
): readonly { readonly marker: Marker; readonly at: number; readonly others: number }[] {
  const clusters: { marker: Marker; at: number; others: number }[] = [];
  for (const marker of markers) {
    const at = x(Date.parse(marker.at));
    const last = clusters.at(-1);
    if (last && at - last.at < PIN) last.others++;
    else clusters.push({ marker, at, others: 0 });
  }
  return clusters;
}
