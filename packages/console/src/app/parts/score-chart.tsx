import { scaleLinear } from "d3-scale";
import type { ReactNode } from "react";
import { outcomeOf } from "@riskgate/core/internal";
import type { Thresholds } from "../thresholds.js";
import { shownCount } from "../shown-value.js";
import { useWidth } from "./use-width.js";

/** Heights of the bars and of the axis, in pixels, so that text has the same size on any screen. */
const HEIGHT = 120;

/** Width of the numbers of the other axis. */
const LEFT = 34;
const FOOT = 20;
const TICKS = [0, 20, 40, 60, 80, 100] as const;

/** Number of responses with each score above 0, in the colours of their outcomes. */
export function ScoreChart({
  counts,
  highest,
  thresholds,
  about,
}: {
  /** By score, from 0 to 100. */
  readonly counts: readonly number[];
  /** The highest count of all charts beside each other, which have one scale. */
  readonly highest: number;
  readonly thresholds: Thresholds;
  readonly about: string;
}): ReactNode {
  const [place, width] = useWidth<SVGSVGElement>();
  const step = Math.max(0, width - LEFT) / counts.length;
  const y = scaleLinear([0, highest], [HEIGHT, 4]).nice(4);
  const shown = counts.slice(1);
  const total = shown.reduce((sum, count) => sum + count, 0);
  const { flagAbove, challengeAbove, rejectAbove } = thresholds;
  const name = `${about} by score: ${shownCount(total)} above 0`;
  return (
    <figure className="chart">
      <figcaption>
        {about}{" "}
        <span className="dim">
          {shownCount(total)} above 0, {shownCount(counts[0] ?? 0)} with score 0 not drawn
        </span>
      </figcaption>
      <svg ref={place} className="scores" height={HEIGHT + FOOT} role="img" aria-label={name}>
        {y.ticks(4).map((count) => (
          <g key={count}>
            <line x1={LEFT} x2={width} y1={y(count)} y2={y(count)} />
            <text x={LEFT - 6} y={y(count) + 4} textAnchor="end">
              {shownCount(count)}
            </text>
          </g>
        ))}
        {counts.map((count, score) => {
          if (count === 0 || score === 0) return null;
          // One response among thousands remains visible.
          const height = Math.max(3, HEIGHT - y(count));
          return (
            <rect
              key={score}
              className={outcomeOf(score, thresholds)}
              x={LEFT + (score + 0.1) * step}
              y={HEIGHT - height}
              width={0.8 * step}
              height={height}
            >
              <title>{`Score ${score}: ${shownCount(count)}`}</title>
            </rect>
          );
        })}
        <line className="ground" x1={LEFT} x2={width} y1={HEIGHT} y2={HEIGHT} />
        {[flagAbove, challengeAbove, rejectAbove].map((threshold, index) => {
          if (threshold === undefined) return null;
          const x = LEFT + (threshold + 1) * step;
          return <line key={index} className="threshold" x1={x} x2={x} y1={0} y2={HEIGHT} />;
        })}
        {TICKS.map((score) => (
          <text
            key={score}
            className="score"
            x={LEFT + (score + 0.5) * step}
            y={HEIGHT + FOOT - 5}
            textAnchor={anchorOf(score)}
          >
            {score}
          </text>
        ))}
      </svg>
    </figure>
  );
}

function anchorOf(score: number): "start" | "middle" | "end" {
  if (score === 0) return "start";
  return score === 100 ? "end" : "middle";
}
