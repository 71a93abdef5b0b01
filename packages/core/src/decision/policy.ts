import type { Assessment } from "../model/assessment.js";
import {
  type Evidence,
  type EvidencePair,
  type Fault,
  type Outcome,
  OUTCOMES,
} from "../model/decision.js";
import { callSyncHook } from "../base/call-hook.js";
import type { ErrorHook } from "../base/error-report.js";
import type { OptionReader } from "../base/options.js";
import { type FlagOutcomes, flagOutcomeOf } from "../model/flag-outcomes.js";
import type { Judged } from "../model/judged.js";
import { type PolicyTerms, whenMissing } from "../model/policy-terms.js";
import { FLAG_ABOVE, outcomeOf, REJECT_ABOVE } from "../model/risk-thresholds.js";
import { readFlagOutcomes } from "./read-flag-outcomes.js";
import type { Step, Verdict } from "./step.js";

export interface PolicyOptions {
  /** A score strictly above this is flagged; 0 to 100, default 40. */
  readonly flagAbove?: number;
  /**
   * A score strictly above this is challenged; `flagAbove` to `rejectAbove`. By default no score is
   * challenged.
   */
  readonly challengeAbove?: number;
  /** A score strictly above this is rejected; 0 to 100, default 80. */
  readonly rejectAbove?: number;
  /**
   * Flags that cause an outcome whatever the score: `{ reject: ["disposable"], challenge: ["vpn"] }`.
   * They never soften the outcome of a score. Default none.
   */
  readonly outcomes?: FlagOutcomes;
  /**
   * Outcome if a lookup returns no assessment, for all faults or for each. Default `allow`, but
   * `flag` for `unauthorized` and `unreadable`, so that a broken key is noticed. A client address
   * that cannot be parsed is `unreadable`. `challenge` requires a gate that can challenge.
   */
  readonly whenUnavailable?: Outcome | Partial<Readonly<Record<Fault, Outcome>>>;
  /** `observe` makes and reports every decision but enforces none; default `enforce`. */
  readonly mode?: "enforce" | "observe";
  /** The application's own policy, which replaces the thresholds, `outcomes` and `whenUnavailable`. */
  readonly decide?: (evidence: EvidencePair) => Outcome;
}

export interface Policy extends Step {
  readonly terms: PolicyTerms;
  /** False in observe mode. */
  readonly enforced: boolean;
  readonly challengedBy: "challengeAbove" | "outcomes" | "whenUnavailable" | undefined;
  /** Returns the verdict of a previous step if there is one. */
  judge(judged: Pick<Judged, "evidence" | "score">, soFar?: Verdict): Verdict;
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
 * Creates a policy from its options. The same evidence always leads to the same verdict, and a
 * higher score never leads to a softer one.
 *
 * @param report Receives errors of the application's `decide`; the thresholds then decide.
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
  const outcomes = readFlagOutcomes(options);
  const enforced = options.oneOf("mode", ["enforce", "observe"], "enforce") === "enforce";
  const decide = options.function<NonNullable<PolicyOptions["decide"]>>("decide");

  const thresholds = { flagAbove, challengeAbove, rejectAbove };
  const isChallenged = Object.values(whenUnavailable).includes("challenge");
  const byFault = isChallenged ? "whenUnavailable" : undefined;
  const byFlag = outcomes?.challenge ? "outcomes" : byFault;

  return {
    name: "policy",
    enforced,
    challengedBy: challengeAbove < rejectAbove ? "challengeAbove" : byFlag,
    terms: { ...thresholds, whenUnavailable, outcomes, isOwn: decide !== undefined },
    judge({ evidence, score }, soFar) {
      if (soFar) return soFar;
      const { ip, email } = evidence;
      const missing = harder(whenMissing(ip, whenUnavailable), whenMissing(email, whenUnavailable));
      const given = decide && applicationOutcome(decide, evidence, report);
      if (given) {
        const because = score !== null ? "score" : missing ? "unavailable" : "nothing_to_score";
        return { outcome: given, because };
      }
      const scored = outcomeOf(score ?? 0, thresholds);
      const flagged = outcomes && flagOutcomeOf(evidence, outcomes);
      // A score or flag that raises the outcome comes first: the refusal must not look like an
      // outage.
      const known: Verdict =
        flagged && severity(flagged.outcome) > severity(scored)
          ? { ...flagged, because: "flag" }
          : { outcome: scored, because: reasonOf(score, ip) };
      if (missing && (known.outcome === "allow" || severity(missing) > severity(known.outcome))) {
        return { outcome: missing, because: "unavailable" };
      }
      return known;
    },
  };
}

/** A score of 0 must not look like a clean record if the engine knows no addresses. */
function reasonOf(score: number | null, ip: EvidencePair["ip"]): Verdict["because"] {
  if (score === null) return "nothing_to_score";
  const isUnknown = score === 0 && "assessment" in ip && ip.assessment.no_address_data;
  return isUnknown ? "no_address_data" : "score";
}

/** Returns `rejectAbove` if the option is missing, so that no score is challenged. */
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

/** Returns the outcome of the application's `decide`; undefined if it fails. */
function applicationOutcome(
  decide: (evidence: EvidencePair) => unknown,
  evidence: EvidencePair,
  report: ErrorHook,
): Outcome | undefined {
  const how = { report, expects: readOutcome, otherwise: undefined };
  return callSyncHook<Outcome | undefined>("the policy `decide`", () => decide(evidence), how);
}

function readOutcome(given: unknown): Outcome {
  const outcome = OUTCOMES.find((known) => known === given);
  if (outcome) return outcome;
  const words = OUTCOMES.map((known) => `"${known}"`).join(", ");
  throw new TypeError(`\`decide\` must return one of ${words}, not a promise`);
}

function severity(outcome: Outcome): number {
  return OUTCOMES.indexOf(outcome);
}

function scoreOf(evidence: Evidence<Assessment>): number | null {
  return evidence.state === "scored" ? evidence.assessment.risk_score : null;
}

/**
 * Returns the higher score plus the velocity points, at most 100; null if there are neither.
 * @param bound Maximum score with points of subjects that others can fill: `rejectAbove`, so that
 * these points never cause a refusal; 0 ignores them.
 */
export function totalScore({ ip, email, velocity }: EvidencePair, bound: number): number | null {
  const [a, b] = [scoreOf(ip), scoreOf(email)];
  const highest = a === null || b === null ? (a ?? b) : Math.max(a, b);
  if (!velocity) return highest;
  const { adds, sharedAdds = 0 } = velocity;
  const score = highest ?? 0;
  return Math.max(Math.min(100, score + adds), Math.min(bound, score + sharedAdds));
}

function harder(a: Outcome | undefined, b: Outcome | undefined): Outcome | undefined {
  if (!a || !b) return a ?? b;
  return severity(a) >= severity(b) ? a : b;
}
