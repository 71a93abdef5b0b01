import type { EmailAssessment, IpAssessment } from "@riskgate/core";
import { type Finding, pointsOf, type SignalName } from "./score.js";

/** One reason for a score. */
export interface Signal {
  readonly name: SignalName;
  /** Points of this signal by itself, 0 to 100. */
  readonly weight: number;
  /** Points that it adds to the score; 0 where a stronger signal of its kind counts instead. */
  readonly adds: number;
  /** Where it comes from: names of feeds, the ledger, or a rule of the engine. */
  readonly source: string;
  readonly detail?: string;
  /** When the lists of the source were loaded, in Unix time in milliseconds. */
  readonly loadedAtMs?: number;
  /** When the ledger's last event happened, in Unix time in milliseconds. */
  readonly lastEventAtMs?: number;
}

/** An assessment with the reasons for its score; `adds` of all signals together is the score. */
export interface Explanation<T extends EmailAssessment | IpAssessment> {
  /** 0 to 100. */
  readonly score: number;
  readonly signals: readonly Signal[];
  readonly assessment: T;
}

/** Origin of a signal. */
export type Origin = Pick<Signal, "source" | "detail" | "loadedAtMs" | "lastEventAtMs">;

/** Put findings and their origins together. */
export function explain<T extends EmailAssessment | IpAssessment>(
  assessment: T,
  findings: readonly Finding[],
  originOf: (name: SignalName) => Origin,
): Explanation<T> {
  const points = pointsOf(findings);
  const signals = findings.map(({ name, weight }, index) => ({
    name,
    weight,
    adds: points[index]!,
    ...originOf(name),
  }));
  return { score: assessment.risk_score, signals, assessment };
}
