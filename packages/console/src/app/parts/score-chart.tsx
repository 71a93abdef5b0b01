import type { ReactNode } from "react";
import { outcomeOf, type Thresholds } from "../thresholds.js";
import { shownCount } from "../shown-value.js";

/** Height of the bars, in units of which each score has 10 in width. */
const HEIGHT = 260;
const FOOT = 30;
const TICKS = [0, 20, 40, 60, 80, 100] as const;

/** How many answers had each score above 0, in the colours of what the thresholds make of them. */
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
  const shown = counts.slice(1);
  const highest = Math.max(1, ...shown);
  const total = shown.reduce((sum, count) => sum + count, 0);
  const { flagAbove, challengeAbove, rejectAbove } = thresholds;
  const name = `${about} by score: ${shownCount(total)} above 0`;
  return (
    <figure className="chart">
      <svg className="scores" viewBox={`0 0 1010 ${HEIGHT + FOOT}`} role="img" aria-label={name}>
        {counts.map((count, score) => {
          if (count === 0 || score === 0) return null;
          // What is there can be seen, be it one among thousands.
          const height = Math.max(3, (count / highest) * HEIGHT);
          return (
            <rect
              key={score}
              className={outcomeOf(thresholds, score)}
              x={score * 10 + 1}
              y={HEIGHT - height}
              width={8}
              height={height}
            >
              <title>{`Score ${score}: ${shownCount(count)}`}</title>
            </rect>
          );
        })}
        <line className="ground" x1={0} x2={1010} y1={HEIGHT} y2={HEIGHT} />
        {[flagAbove, challengeAbove, rejectAbove].map((threshold, index) => {
          if (threshold === undefined) return null;
          const x = threshold * 10 + 10;
          return <line key={index} className="threshold" x1={x} x2={x} y1={0} y2={HEIGHT} />;
        })}
        {TICKS.map((score) => (
          <text key={score} x={score * 10 + 5} y={HEIGHT + FOOT - 6} textAnchor={anchorOf(score)}>
            {score}
          </text>
        ))}
      </svg>
      <figcaption className="dim">
        {about}: {shownCount(total)} above 0, and {shownCount(counts[0] ?? 0)} with the score 0,
        which are not drawn.
      </figcaption>
    </figure>
  );
}

function anchorOf(score: number): "start" | "middle" | "end" {
  if (score === 0) return "start";
  return score === 100 ? "end" : "middle";
}
