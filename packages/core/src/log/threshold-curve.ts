import type { LabelReport } from "../report/report.js";

/** `fraud` or `legitimate`. */
export type Label = LabelReport["label"];

export interface ThresholdPoint {
  /** Only scores above it are found. */
  readonly threshold: number;
  readonly fraudFound: number;
  /** Decisions labelled legitimate that it finds. */
  readonly legitimateFound: number;
  /** Share of fraud among the found decisions, 0 to 1; null if nothing is found. */
  readonly precision: number | null;
  /** Share of all fraud that it finds, 0 to 1; null without fraud. */
  readonly recall: number | null;
}

const THRESHOLDS = 101;

export class LabelledScores {
  /** Indexed by the score, rounded up: scores above a whole threshold have a higher index. */
  readonly #counts: Record<Label, Float64Array> = {
    fraud: new Float64Array(THRESHOLDS),
    legitimate: new Float64Array(THRESHOLDS),
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
    const allFraud = this.total("fraud");
    const points: ThresholdPoint[] = [];
    let fraudFound = 0;
    let legitimateFound = 0;
    for (let threshold = THRESHOLDS - 1; threshold >= 0; threshold--) {
      const shares = sharesOf(fraudFound, legitimateFound, allFraud);
      points.unshift({ threshold, fraudFound, legitimateFound, ...shares });
      fraudFound += this.#counts.fraud[threshold]!;
      legitimateFound += this.#counts.legitimate[threshold]!;
    }
    return points;
  }
}

export function sharesOf(
  fraudFound: number,
  legitimateFound: number,
  allFraud: number,
): Pick<ThresholdPoint, "precision" | "recall"> {
  const found = fraudFound + legitimateFound;
  return {
    precision: found === 0 ? null : fraudFound / found,
    recall: allFraud === 0 ? null : fraudFound / allFraud,
  };
}

/** Thresholds that would have done best. */
export interface BestThresholds {
  readonly flagAbove: number;
  readonly challengeAbove: number;
  readonly rejectAbove: number;
}

/**
 * Weights of recall against precision: a wrong refusal costs most, and a wrong flag least.
 * Source: the F-measure, van Rijsbergen, Information Retrieval, 1979.
 */
const RECALL_WEIGHTS = { rejectAbove: 0.5, challengeAbove: 1, flagAbove: 2 } as const;

/** Returns the thresholds with the highest F-measures. */
export function bestThresholds(points: readonly ThresholdPoint[]): BestThresholds | null {
  // No threshold finds any fraud.
  if (!points[0]?.recall) return null;
  const bestBy = (beta: number): number => {
    const measures = points.map((point) => measureOf(point, beta));
    const highest = Math.max(...measures);
    const best = points.filter((_, at) => measures[at] === highest);
    // The middle of equal thresholds is as far as possible from the scores on both sides.
    return best[Math.floor(best.length / 2)]!.threshold;
  };
  const rejectAbove = bestBy(RECALL_WEIGHTS.rejectAbove);
  const challengeAbove = Math.min(bestBy(RECALL_WEIGHTS.challengeAbove), rejectAbove);
  const flagAbove = Math.min(bestBy(RECALL_WEIGHTS.flagAbove), challengeAbove);
  return { flagAbove, challengeAbove, rejectAbove };
}

function measureOf({ precision, recall }: ThresholdPoint, beta: number): number {
  if (!precision || !recall) return 0;
  return ((1 + beta ** 2) * precision * recall) / (beta ** 2 * precision + recall);
}
