import type { Assessment } from "../model/assessment.js";
import { isThenable } from "../model/awaitable.js";
import {
  type Decision,
  type Evidence,
  type EvidencePair,
  type Fault,
  type Outcome,
  OUTCOMES,
} from "../model/decision.js";
import type { ErrorHook } from "../base/error-report.js";
import { RiskGateError } from "../base/errors.js";
import type { OptionReader } from "../base/options.js";
import { FLAG_ABOVE, outcomeOf, REJECT_ABOVE } from "../model/risk-thresholds.js";

/** Thresholds and rules. */
export interface PolicyOptions {
  /** A score strictly above this is flagged; 0 to 100, default 40. */
  readonly flagAbove?: number;
  /**
   * A score strictly above this is challenged; from `flagAbove` to `rejectAbove`. By default nothing is
   * challenged by its score.
   */
  readonly challengeAbove?: number;
  /** A score strictly above this is rejected; 0 to 100, default 80. */
  readonly rejectAbove?: number;
  /**
   * What happens when a lookup gives no assessment: one outcome, or one for each fault. By default
   * allow, but flag for `unauthorized` and `unreadable`, so that a broken key is noticed. A client
   * address that cannot be read counts as `unreadable`. `challenge` is for gates that can challenge.
   */
  readonly whenUnavailable?: Outcome | Partial<Readonly<Record<Fault, Outcome>>>;
  /** `observe` decides and reports everything and enforces nothing; default `enforce`. */
  readonly mode?: "enforce" | "observe";
  /** The application's own policy over the evidence, instead of the thresholds and `whenUnavailable`. */
  readonly decide?: (evidence: EvidencePair) => Outcome;
}

/** What a policy decides by, after reading. */
export interface PolicyTerms {
  readonly flagAbove: number;
  /** As `rejectAbove` where no score is challenged. */
  readonly challengeAbove: number;
  readonly rejectAbove: number;
  readonly whenUnavailable: Readonly<Record<Fault, Outcome>>;
  /** A policy of the application decides, and the thresholds only where that fails. */
  readonly isOwn: boolean;
}

/** Turns evidence into a decision. */
export interface Policy {
  readonly terms: PolicyTerms;
  /** False in observe mode. */
  readonly enforced: boolean;
  /** The option by which the policy challenges, other than `decide`; undefined where it never does. */
  readonly challengedBy: "challengeAbove" | "whenUnavailable" | undefined;
  /** Never throws. */
  judge(evidence: EvidencePair): Decision;
}

const WHEN_UNAVAILABLE: Readonly<Record<Fault, Outcome>> = {
  timeout: "allow",
  network: "allow",
  rate_limited: "allow",
  server: "allow",
  unauthorized: "flag",
  unreadable: "flag",
};

/**
 * Read the options of a policy and make it. The same evidence always gives the same decision, and a
 * higher score never gives a softer one.
 *
 * @param report Receives the failure of the application's own `decide`; the thresholds decide then.
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function readPolicy(options: OptionReader, report: ErrorHook): Policy {
  const flagAbove = options.number("flagAbove", FLAG_ABOVE, { max: 100 });
  const rejectAbove = options.number("rejectAbove", REJECT_ABOVE, { max: 100 });
  if (flagAbove > rejectAbove) {
    options.refuse("flagAbove", `at most \`rejectAbove\`, which is ${rejectAbove}`, flagAbove);
  }
  const challengeAbove = readChallengeAbove(options, flagAbove, rejectAbove);
  const whenUnavailable = readWhenUnavailable(options);
  const enforced = options.oneOf("mode", ["enforce", "observe"], "enforce") === "enforce";
  const decide = options.function<NonNullable<PolicyOptions["decide"]>>("decide");

  const thresholds = { flagAbove, challengeAbove, rejectAbove };
  const isChallenged = Object.values(whenUnavailable).includes("challenge");

  return {
    enforced,
    challengedBy:
      challengeAbove < rejectAbove
        ? "challengeAbove"
        : isChallenged
          ? "whenUnavailable"
          : undefined,
    terms: { ...thresholds, whenUnavailable, isOwn: decide !== undefined },
    judge(evidence) {
      const { ip, email } = evidence;
      const score = totalScore(evidence);
      const missing = harder(whenMissing(ip, whenUnavailable), whenMissing(email, whenUnavailable));
      const own = decide && ownOutcome(decide, evidence, report);
      if (own) {
        const because = score !== null ? "score" : missing ? "unavailable" : "nothing_to_score";
        return { outcome: own, enforced, because, score, ...evidence };
      }
      const scored = outcomeOf(score ?? 0, thresholds);
      // A score that raises the outcome comes first: a refusal that it explains is not an outage.
      if (missing && (scored === "allow" || severity(missing) > severity(scored))) {
        return { outcome: missing, enforced, because: "unavailable", score, ...evidence };
      }
      const because = score === null ? "nothing_to_score" : "score";
      return { outcome: scored, enforced, because, score, ...evidence };
    },
  };
}

/** Without the option it is `rejectAbove`, above which a score is rejected. */
function readChallengeAbove(options: OptionReader, flagAbove: number, rejectAbove: number): number {
  const given = options.number("challengeAbove", rejectAbove, { max: 100 });
  if (given >= flagAbove && given <= rejectAbove) return given;
  const expected = `from \`flagAbove\`, which is ${flagAbove}, to \`rejectAbove\`, which is ${rejectAbove}`;
  return options.refuse("challengeAbove", expected, given);
}

function readWhenUnavailable(options: OptionReader): Readonly<Record<Fault, Outcome>> {
  const given = options.value("whenUnavailable");
  const all = OUTCOMES.find((outcome) => outcome === given);
  if (!all && given !== undefined && (typeof given !== "object" || given === null)) {
    const words = OUTCOMES.map((outcome) => `"${outcome}"`).join(" or ");
    options.refuse("whenUnavailable", `${words}, or an object with one for each fault`, given);
  }
  const faults = Object.entries(WHEN_UNAVAILABLE) as [Fault, Outcome][];
  const each = all ? undefined : options.group("whenUnavailable");
  const outcomes = faults.map(([fault, usual]) => [
    fault,
    all ?? each?.oneOf(fault, OUTCOMES, usual),
  ]);
  return Object.fromEntries(outcomes) as Record<Fault, Outcome>;
}

/** What the application's own policy decides; undefined where it fails. */
function ownOutcome(
  decide: (evidence: EvidencePair) => unknown,
  evidence: EvidencePair,
  report: ErrorHook,
): Outcome | undefined {
  let cause: unknown;
  try {
    const given = decide(evidence);
    const outcome = OUTCOMES.find((known) => known === given);
    if (outcome) return outcome;
    // A promise comes too late, and must not end the process if it rejects.
    if (isThenable(given)) given.then(undefined, () => {});
    const words = OUTCOMES.map((known) => `"${known}"`).join(", ");
    cause = new TypeError(`\`decide\` must return one of ${words}, not a promise`);
  } catch (error) {
    cause = error;
  }
  report(new RiskGateError("HOOK_FAILED", "the policy `decide` failed", { cause }));
  return undefined;
}

function severity(outcome: Outcome): number {
  return OUTCOMES.indexOf(outcome);
}

function scoreOf(evidence: Evidence<Assessment>): number | null {
  return evidence.state === "scored" ? evidence.assessment.risk_score : null;
}

/** The higher score of the two and what velocity adds, at most 100; null without any of the three. */
export function totalScore({ ip, email, velocity }: EvidencePair): number | null {
  const [a, b] = [scoreOf(ip), scoreOf(email)];
  const highest = a === null || b === null ? (a ?? b) : Math.max(a, b);
  return velocity ? Math.min(100, (highest ?? 0) + velocity.adds) : highest;
}

/** What a policy makes of evidence that is missing; undefined where none is. */
export function whenMissing(
  evidence: Evidence<unknown>,
  outcomes: Readonly<Record<Fault, Outcome>>,
): Outcome | undefined {
  if (evidence.state === "failed") return outcomes[evidence.fault];
  const isUnusable = evidence.state === "skipped" && evidence.why === "unusable";
  return isUnusable ? outcomes.unreadable : undefined;
}

function harder(a: Outcome | undefined, b: Outcome | undefined): Outcome | undefined {
  if (!a || !b) return a ?? b;
  return severity(a) >= severity(b) ? a : b;
}
