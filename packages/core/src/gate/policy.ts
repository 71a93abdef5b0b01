import type { Scored } from "../lookup/assessment.js";
import type { Decision, Evidence, EvidencePair, Fault, Outcome } from "./decision.js";
import type { ErrorCode } from "../base/errors.js";
import { invalid, optionalFunction } from "../base/option.js";
import { isThenable } from "../base/awaitable.js";

/** Options that turn evidence into a decision. */
export interface PolicyOptions {
  /** A score strictly above this is flagged; 0 to 100, default 40. */
  readonly flagAbove?: number;
  /** A score strictly above this is rejected; 0 to 100, default 80. */
  readonly rejectAbove?: number;
  /**
   * What happens when a lookup gives no assessment: one outcome, or one for each fault. By default
   * allow, but flag for `unauthorized` and `unreadable`, so that a broken key is seen. A client
   * address that cannot be read counts as `unreadable`.
   */
  readonly whenUnavailable?: Outcome | Partial<Readonly<Record<Fault, Outcome>>>;
  /** `observe` decides and reports everything and enforces nothing; default `enforce`. */
  readonly mode?: "enforce" | "observe";
  /** A policy of one's own over the evidence, instead of the thresholds and `whenUnavailable`. */
  readonly decide?: (evidence: EvidencePair) => Outcome;
}

/** Thresholds and rules, made ready. */
export interface Policy {
  /** True unless in observe mode. */
  readonly enforced: boolean;
  /** Decide by the evidence; what the application's own `decide` throws is passed on. */
  judge(evidence: EvidencePair): Decision;
}

const SEVERITY: Readonly<Record<Outcome, number>> = { allow: 0, flag: 1, reject: 2 };

const WHEN_UNAVAILABLE: Readonly<Record<Fault, Outcome>> = {
  timeout: "allow",
  network: "allow",
  rate_limited: "allow",
  server: "allow",
  unauthorized: "flag",
  unreadable: "flag",
};

/**
 * Make a policy. Pure: the same evidence always gives the same decision, and a higher score never
 * gives a softer one.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createPolicy(options: PolicyOptions): Policy {
  const flagAbove = threshold("flagAbove", options.flagAbove, 40);
  const rejectAbove = threshold("rejectAbove", options.rejectAbove, 80);
  if (flagAbove > rejectAbove) throw invalid("flagAbove", "at most `rejectAbove`", flagAbove);
  const outcomes = takeOutcomes(options.whenUnavailable);
  const { mode = "enforce" } = options;
  if (mode !== "enforce" && mode !== "observe")
    throw invalid("mode", '"enforce" or "observe"', mode);
  const enforced = mode === "enforce";
  const own = optionalFunction("decide", options.decide);

  const byScore = (score: number | null): Outcome => {
    if (score === null || score <= flagAbove) return "allow";
    return score > rejectAbove ? "reject" : "flag";
  };

  return {
    enforced,
    judge({ ip, email }) {
      const score = highest(scoreOf(ip), scoreOf(email));
      const missing = harder(whenMissing(ip, outcomes), whenMissing(email, outcomes));
      if (own) {
        const outcome: unknown = own({ ip, email });
        if (!isOutcome(outcome)) {
          // A promise comes too late, and must not end the process if it rejects.
          if (isThenable(outcome)) outcome.then(undefined, () => {});
          throw invalid("decide", "a function that gives an outcome", outcome);
        }
        const because = score !== null ? "score" : missing ? "unavailable" : "nothing_to_score";
        return { outcome, enforced, because, score, ip, email };
      }
      const scored = byScore(score);
      // A score that raises the outcome speaks first: a refusal it explains is no outage.
      if (missing && (scored === "allow" || SEVERITY[missing] > SEVERITY[scored])) {
        return { outcome: missing, enforced, because: "unavailable", score, ip, email };
      }
      const because = score === null ? "nothing_to_score" : "score";
      return { outcome: scored, enforced, because, score, ip, email };
    },
  };
}

/** The fault that an error of a lookup stands for. */
export function faultOf(code: ErrorCode | undefined): Fault {
  switch (code) {
    case "TIMEOUT":
      return "timeout";
    case "NETWORK":
    case "ABORTED":
      return "network";
    case "RATE_LIMITED":
      return "rate_limited";
    case "UNAUTHORIZED":
      return "unauthorized";
    case "BAD_REQUEST":
    case "REDIRECT_REFUSED":
    case "INVALID_RESPONSE":
    case "RESPONSE_TOO_LARGE":
      return "unreadable";
    default:
      return "server";
  }
}

function scoreOf(evidence: Evidence<Scored<unknown>["assessment"]>): number | null {
  return evidence.state === "scored"
    ? (evidence.assessment as { risk_score: number }).risk_score
    : null;
}

function highest(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : Math.max(a, b);
}

function whenMissing(
  evidence: Evidence<unknown>,
  outcomes: Readonly<Record<Fault, Outcome>>,
): Outcome | undefined {
  if (evidence.state === "failed") return outcomes[evidence.fault];
  return evidence.state === "skipped" && evidence.why === "unusable"
    ? outcomes.unreadable
    : undefined;
}

function harder(a: Outcome | undefined, b: Outcome | undefined): Outcome | undefined {
  if (!a || !b) return a ?? b;
  return SEVERITY[a] >= SEVERITY[b] ? a : b;
}

function isOutcome(value: unknown): value is Outcome {
  return typeof value === "string" && Object.hasOwn(SEVERITY, value);
}

function threshold(name: string, given: unknown, fallback: number): number {
  if (given === undefined) return fallback;
  if (typeof given === "number" && given >= 0 && given <= 100) return given;
  throw invalid(name, "a number from 0 to 100", given);
}

function takeOutcomes(given: PolicyOptions["whenUnavailable"]): Readonly<Record<Fault, Outcome>> {
  if (given === undefined) return WHEN_UNAVAILABLE;
  const expected = "an outcome, or an outcome for each fault";
  if (typeof given === "string") {
    if (!isOutcome(given)) throw invalid("whenUnavailable", expected, given);
    const faults = Object.keys(WHEN_UNAVAILABLE).map((fault) => [fault, given]);
    return Object.fromEntries(faults) as Record<Fault, Outcome>;
  }
  if (typeof given !== "object" || given === null) {
    throw invalid("whenUnavailable", expected, given);
  }
  for (const [fault, outcome] of Object.entries(given)) {
    if (!Object.hasOwn(WHEN_UNAVAILABLE, fault) || !isOutcome(outcome)) {
      throw invalid(`whenUnavailable.${fault}`, expected, outcome);
    }
  }
  return { ...WHEN_UNAVAILABLE, ...given };
}
