import type {
  Assessment,
  EmailAssessment,
  IpAssessment,
  Scored,
} from "../../src/model/assessment.js";
import { RiskGateError } from "../../src/base/errors.js";
import type { LookupOptions, RiskLookup } from "../../src/model/lookup.js";

/** What a lookup answers: a score, an error to throw, or a function that gives anything at all. */
export type Answer = number | Error | ((signal: AbortSignal | undefined) => unknown);

/** A lookup with set answers that records what it was asked. */
export interface DoubleLookup extends RiskLookup {
  readonly asked: string[];
}

/** Answer by identifier; what is not set scores 0. */
export function doubleLookup(answers: Readonly<Record<string, Answer>> = {}): DoubleLookup {
  const asked: string[] = [];
  const ask = async <T extends Assessment>(id: string, options?: LookupOptions): Promise<T> => {
    asked.push(id);
    const answer = answers[id] ?? 0;
    if (answer instanceof Error) throw answer;
    if (typeof answer === "function") return (await answer(options?.signal)) as T;
    return { risk_score: answer } as T;
  };
  return {
    asked,
    lookupIp: (ip, options) => ask<IpAssessment>(ip, options),
    lookupEmail: (email, options) => ask<EmailAssessment>(email, options),
  };
}

/** A lookup that has all its answers in memory; other identifiers have the score `otherwise`, if given. */
export function peekingLookup(
  scores: Readonly<Record<string, number>>,
  otherwise?: number,
): DoubleLookup {
  const peek = <T extends Assessment>(id: string): Scored<T> | undefined => {
    const score = scores[id] ?? otherwise;
    if (score === undefined) return undefined;
    return { state: "scored", assessment: { risk_score: score } as T, source: "cache" };
  };
  return { ...doubleLookup(scores), peekIp: peek<IpAssessment>, peekEmail: peek<EmailAssessment> };
}

/** Answer nothing until nobody waits any more. */
export function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(new RiskGateError("ABORTED", "nobody waits"));
    signal?.addEventListener("abort", stop, { once: true });
  });
}
