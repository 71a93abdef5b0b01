import { type Outcome, OUTCOMES } from "../model/decision.js";
import { BoundedGroups } from "./bounded-groups.js";
import type { DecisionRecord } from "./decision-record.js";
import { OutcomeCounts } from "./outcome-counts.js";
import { allSignalsOf } from "./record-signals.js";
import {
  type BestThresholds,
  bestThresholds,
  type Label,
  LabelledScores,
  sharesOf,
  type ThresholdPoint,
} from "./threshold-curve.js";

type Shares = Pick<ThresholdPoint, "precision" | "recall">;

interface PolicyShares {
  /** Of the decisions that it does not allow. */
  readonly stopped: Shares;
  /** Of the decisions that it rejects. */
  readonly rejected: Shares;
}

interface Found extends Shares {
  readonly fraud: number;
  readonly legitimate: number;
}

/** Results about the decisions with a label. */
export interface LabelledResult {
  readonly fraud: number;
  readonly legitimate: number;
  readonly recorded: PolicyShares;
  readonly rehearsed: PolicyShares;
  /** Decisions with exactly this outcome. */
  readonly outcomes: readonly {
    readonly outcome: Outcome;
    readonly recorded: Found;
    readonly rehearsed: Found;
  }[];
  /** Decisions with each signal, those that find most fraud first. */
  readonly signals: readonly (Found & { readonly signal: string })[];
  /** By score only, without the decisions of lists. */
  readonly thresholds: readonly ThresholdPoint[];
  /** Null unless both labels exist and some fraud has a score. */
  readonly best: BestThresholds | null;
}

/** A log may contain anything, so the number of signals is limited. */
const MAX_SIGNALS = 1_000;
const SHOWN_SIGNALS = 100;

/** Precision and recall of outcomes, signals and thresholds, over decisions with a label. */
export class LabelledDecisions {
  readonly #scores = new LabelledScores();
  readonly #signals = new BoundedGroups(MAX_SIGNALS, () => ({ fraud: 0, legitimate: 0 }));
  readonly #counts: Record<Label, OutcomeCounts> = {
    fraud: new OutcomeCounts(),
    legitimate: new OutcomeCounts(),
  };

  add(record: DecisionRecord, rehearsed: Outcome, label: Label): void {
    const { because, outcome, score } = record;
    this.#counts[label].add(outcome, rehearsed);
    for (const signal of allSignalsOf(record)) this.#signals.get(signal)[label]++;
    if (because !== "override" && because !== "blocked") this.#scores.add(label, score);
  }

  result(): LabelledResult {
    const { fraud, legitimate } = this.#counts;
    const thresholds = this.#scores.curve();
    return {
      fraud: fraud.decisions,
      legitimate: legitimate.decisions,
      recorded: this.#sharesOf("recorded"),
      rehearsed: this.#sharesOf("rehearsed"),
      outcomes: OUTCOMES.map((outcome) => {
        const [recorded, rehearsed] = (["recorded", "rehearsed"] as const).map((policy) =>
          this.#found(fraud[policy][outcome], legitimate[policy][outcome]),
        ) as [Found, Found];
        return { outcome, recorded, rehearsed };
      }),
      signals: this.#signals
        .entries()
        .map(([signal, found]) => ({ signal, ...this.#found(found.fraud, found.legitimate) }))
        .toSorted((a, b) => b.fraud - a.fraud || a.legitimate - b.legitimate)
        .slice(0, SHOWN_SIGNALS),
      thresholds,
      best: this.#hasBoth() ? bestThresholds(thresholds) : null,
    };
  }

  #hasBoth(): boolean {
    return this.#scores.total("fraud") > 0 && this.#scores.total("legitimate") > 0;
  }

  #found(fraud: number, legitimate: number): Found {
    return { fraud, legitimate, ...sharesOf(fraud, legitimate, this.#counts.fraud.decisions) };
  }

  #sharesOf(policy: "recorded" | "rehearsed"): PolicyShares {
    const { fraud, legitimate } = this.#counts;
    const stopped = (counts: OutcomeCounts): number => counts.decisions - counts[policy].allow;
    return {
      stopped: sharesOf(stopped(fraud), stopped(legitimate), fraud.decisions),
      rejected: sharesOf(fraud[policy].reject, legitimate[policy].reject, fraud.decisions),
    };
  }
}
