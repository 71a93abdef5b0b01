import { scaleLinear } from "d3-scale";
import type { ReactNode } from "react";

const WIDTH = 84;
const HEIGHT = 22;

/** A period of few steps has no wider bars than one of many. */
const MAX_BAR = 5;

/** Counts over time without axes; the number beside it says how many they are. */
export function Sparkline({ counts }: { readonly counts: readonly number[] }): ReactNode {
  const step = Math.min(MAX_BAR + 1, WIDTH / counts.length);
  const from = WIDTH - step * counts.length;
  const y = scaleLinear([0, Math.max(1, ...counts)], [0, HEIGHT - 2]);
  return (
    <svg className="spark" width={WIDTH} height={HEIGHT} aria-hidden>
      <line x1={0} x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
      {counts.map((count, index) => {
        if (count === 0) return null;
        // A count of one beside thousands remains visible.
        const height = Math.max(1.5, y(count));
        const width = Math.max(1, step - 1);
        return (
          <rect
            key={index}
            className="quiet"
            x={from + index * step}
            y={HEIGHT - 1 - height}
            width={width}
            height={height}
          />
        );
      })}
    </svg>
  );
}
