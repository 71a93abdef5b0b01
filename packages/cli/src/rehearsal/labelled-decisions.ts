import type { Outcome } from "@riskgate/core";
import type { DecisionRecord } from "@riskgate/core/log";
import type { Label, Labels } from "./label.js";
import { OutcomeCounts } from "@riskgate/core/internal";
import { LabelledScores, sharesOf, type ThresholdPoint } from "./threshold-curve.js";

type Shares = Pick<ThresholdPoint, "precision" | "recall">;

export interface PolicyShares {
  /** Of the decisions that it does not allow. */
  readonly stopped: Shares;
  /** Of the decisions that it rejects. */
  readonly rejected: Shares;
}

/** Decisions about identifiers with a label. */
export interface LabelledResult {
  readonly identifiers: number;
  readonly abuse: number;
  readonly good: number;
  readonly recorded: PolicyShares;
  readonly rehearsed: PolicyShares;
  /** By score only, without the decisions of lists. */
  readonly thresholds: readonly ThresholdPoint[];
}

export class LabelledDecisions {
  readonly #labels: Labels;
  readonly #scores = new LabelledScores();
  readonly #counts: Record<Label, OutcomeCounts> = {
    abuse: new OutcomeCounts(),
    good: new OutcomeCounts(),
  };

  constructor(labels: Labels) {
    this.#labels = labels;
  }

  add(record: DecisionRecord, rehearsed: Outcome): void {
    const { ip, email, because, score } = record;
    const labels = [this.#labels.of(ip.digest), this.#labels.of(email.digest)];
    const label = labels.find((one) => one === "abuse") ?? labels.find((one) => one !== undefined);
    if (!label) return;
    this.#counts[label].add(record.outcome, rehearsed);
    if (because !== "override" && because !== "blocked") this.#scores.add(label, score);
  }

  result(): LabelledResult {
    const { abuse, good } = this.#counts;
    return {
      identifiers: this.#labels.size,
      abuse: abuse.decisions,
      good: good.decisions,
      recorded: this.#sharesOf("recorded"),
      rehearsed: this.#sharesOf("rehearsed"),
      thresholds: this.#scores.curve(),
    };
  }

  #sharesOf(policy: "recorded" | "rehearsed"): PolicyShares {
    const { abuse, good } = this.#counts;
    const all = abuse.decisions;
    const found = (counts: OutcomeCounts): number => counts.decisions - counts[policy].allow;
    return {
      stopped: sharesOf(found(abuse), found(good), all),
      rejected: sharesOf(abuse[policy].reject, good[policy].reject, all),
    };
  }
}
