import type { Label } from "./label.js";

export interface ThresholdPoint {
  /** Only scores above it are found. */
  readonly threshold: number;
  readonly abuseFound: number;
  /** Decisions about good identifiers that it finds. */
  readonly goodFound: number;
  /** Share of abuse among the found decisions, 0 to 1; null if nothing is found. */
  readonly precision: number | null;
  /** Share of all abuse that it finds, 0 to 1; null without abuse. */
  readonly recall: number | null;
}

const THRESHOLDS = 101;

export class LabelledScores {
  /** Indexed by the score, rounded up: scores above a whole threshold have a higher index. */
  readonly #counts: Record<Label, Float64Array> = {
    abuse: new Float64Array(THRESHOLDS),
    good: new Float64Array(THRESHOLDS),
  };

  /** @param score Null for a decision without a score, which no threshold finds. */
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
