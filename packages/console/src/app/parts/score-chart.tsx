import type { ReactNode } from "react";
import { outcomeOf } from "@riskgate/core/internal";
import type { Thresholds } from "../thresholds.js";
import { shownCount } from "../shown-value.js";
import { useWidth } from "./use-width.js";

/** Heights of the bars and of the axis, in pixels, so that text has the same size on any screen. */
const HEIGHT = 150;
const FOOT = 20;
const TICKS = [0, 20, 40, 60, 80, 100] as const;

/** Number of responses with each score above 0, in the colours of their outcomes. */
export function ScoreChart({
  counts,
  thresholds,
  about,
}: {
  /** By score, from 0 to 100. */
  readonly counts: readonly number[];
  readonly thresholds: Thresholds;
  readonly about: string;
}): ReactNode {
  const [place, width] = useWidth<SVGSVGElement>();
  const step = width / counts.length;
  const shown = counts.slice(1);
  const highest = Math.max(1, ...shown);
  const total = shown.reduce((sum, count) => sum + count, 0);
  const { flagAbove, challengeAbove, rejectAbove } = thresholds;
  const name = `${about} by score: ${shownCount(total)} above 0`;
  return (
    <figure className="chart">
      <svg ref={place} className="scores" height={HEIGHT + FOOT} role="img" aria-label={name}>
        {counts.map((count, score) => {
          if (count === 0 || score === 0) return null;
          // One response among thousands remains visible.
          const height = Math.max(3, (count / highest) * HEIGHT);
          return (
            <rect
              key={score}
              className={outcomeOf(score, thresholds)}
              x={(score + 0.1) * step}
              y={HEIGHT - height}
              width={0.8 * step}
              height={height}
            >
              <title>{`Score ${score}: ${shownCount(count)}`}</title>
            </rect>
          );
        })}
        <line className="ground" x1={0} x2={width} y1={HEIGHT} y2={HEIGHT} />
        {[flagAbove, challengeAbove, rejectAbove].map((threshold, index) => {
          if (threshold === undefined) return null;
          const x = (threshold + 1) * step;
          return <line key={index} className="threshold" x1={x} x2={x} y1={0} y2={HEIGHT} />;
        })}
        {TICKS.map((score) => (
          <text
            key={score}
            x={(score + 0.5) * step}
            y={HEIGHT + FOOT - 5}
            textAnchor={anchorOf(score)}
          >
            {score}
          </text>
        ))}
      </svg>
      <figcaption className="dim">
        {about}: {shownCount(total)} above 0, and {shownCount(counts[0] ?? 0)} with score 0, not
        drawn.
      </figcaption>
    </figure>
  );
}

function anchorOf(score: number): "start" | "middle" | "end" {
  if (score === 0) return "start";
  return score === 100 ? "end" : "middle";
}
