import type { CountsByOutcome } from "@riskgate/api-types";
import { OUTCOMES } from "@riskgate/core";
import type { ReactNode } from "react";
import { shownCount } from "../shown-value.js";

/** Two bars, each with the shares of the outcomes. */
export function OutcomeBars({
  before,
  after,
}: {
  readonly before: CountsByOutcome;
  readonly after: CountsByOutcome;
}): ReactNode {
  return (
    <div className="outcome-bars">
      <Bar title="Before" counts={before} />
      <Bar title="Tried" counts={after} />
    </div>
  );
}

function Bar({
  title,
  counts,
}: {
  readonly title: string;
  readonly counts: CountsByOutcome;
}): ReactNode {
  const total = OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0);
  let from = 0;
  const label = OUTCOMES.map((outcome) => `${outcome} ${shownCount(counts[outcome])}`).join(", ");
  return (
    <div className="outcome-bar">
      <span aria-hidden>{title}</span>
      <svg
        className="spark"
        height={26}
        viewBox="0 0 100 26"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${label}`}
      >
        {total === 0 && <rect className="ground" x={0} y={0} width={100} height={26} />}
        {OUTCOMES.map((outcome) => {
          const share = total === 0 ? 0 : (counts[outcome] / total) * 100;
          const x = from;
          from += share;
          if (share === 0) return null;
          return (
            <rect key={outcome} className={outcome} x={x} y={0} width={share} height={26}>
              <title>{`${outcome}: ${shownCount(counts[outcome])} of ${shownCount(total)}`}</title>
            </rect>
          );
        })}
      </svg>
    </div>
  );
}
