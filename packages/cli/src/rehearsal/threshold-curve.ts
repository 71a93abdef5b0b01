import type { Label } from "./label.js";

/** What one threshold would have done to the decisions with a label. */
export interface ThresholdPoint {
  /** Scores strictly above it count as found. */
  readonly threshold: number;
  /** Decisions about known abuse that it finds. */
  readonly abuseFound: number;
  /** Decisions about the known good that it finds too. */
  readonly goodFound: number;
  /** Share of abuse in what it finds, 0 to 1; null where it finds nothing. */
  readonly precision: number | null;
  /** Share of all abuse that it finds, 0 to 1; null where there is none. */
  readonly recall: number | null;
}

const THRESHOLDS = 101;

/** Counts scores with a label. */
export class LabelledScores {
  /** By the score, rounded up: above a whole threshold is whatever stands in a place above it. */
  readonly #counts: Record<Label, Float64Array> = {
    abuse: new Float64Array(THRESHOLDS),
    good: new Float64Array(THRESHOLDS),
  };

  /** @param score Null where there was none, which no threshold finds. */
  add(label: Label, score: number | null): void {
    this.#counts[label][Math.ceil(score ?? 0)]! += 1;
  }

  total(label: Label): number {
    return this.#counts[label].reduce((sum, count) => sum + count, 0);
  }

  /** One point for each whole threshold from 0 to 100. */
  curve(): ThresholdPoint[] {
    const allAbuse = this.total("abuse");
    const points: ThresholdPoint[] = [];
    let abuseFound = 0;
    let goodFound = 0;
    for (let threshold = THRESHOLDS - 1; threshold >= 0; threshold--) {
      const shares = sharesOf(abuseFound, goodFound, allAbuse);
      points.unshift({ threshold, abuseFound, goodFound, ...shares });
      abuseFound += this.#counts.abuse[threshold]!;
      goodFound += this.#counts.good[threshold]!;
    }
    return points;
  }
}

/** Precision and recall. */
export function sharesOf(
  abuseFound: number,
  goodFound: number,
  allAbuse: number,
): Pick<ThresholdPoint, "precision" | "recall"> {
  const found = abuseFound + goodFound;
  return {
    precision: found === 0 ? null : abuseFound / found,
    recall: allAbuse === 0 ? null : abuseFound / allAbuse,
  };
}
