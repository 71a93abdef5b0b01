import { challengeStranger } from "../attack/attack-step.js";
import { type OptionReader, readOptions } from "../base/options.js";
import type { Decision, EvidencePair, Failed, Fault, Outcome, Skipped } from "../model/decision.js";
import type { RulesInput } from "../rules/rule-set.js";
import { listedRules } from "../rules/listed-rules.js";
import { readRules } from "../rules/rules-step.js";
import { type Policy, type PolicyOptions, readPolicy, totalScore } from "../decision/policy.js";
import { readFlagOutcomes } from "../decision/read-flag-outcomes.js";
import { judge } from "../decision/step.js";
import { ABSENT } from "../model/fact.js";
import type { IpAssessment, Scored } from "../model/assessment.js";
import { dividedReading } from "../model/velocity-reading.js";
import type { DecisionRecord, RecordedEvidence } from "../log/decision-record.js";

/** Settings to try; each record's own setting applies to a missing one. */
export type RejudgeOptions = Pick<PolicyOptions, Threshold | "outcomes"> & {
  /** Operator rules to try instead of the recorded ones. */
  readonly rules?: RulesInput;
  /**
   * True to challenge strangers while the recorded attack mode was on, even if it only observed;
   * false not to. By default as recorded.
   */
  readonly attackMode?: boolean;
};

type Threshold = "flagAbove" | "challengeAbove" | "rejectAbove";

export type Rejudge = (record: DecisionRecord) => Decision;

/** A log has few different policies, but a forged one must not exhaust memory. */
const MAX_POLICIES = 1_000;

/**
 * Creates a function that recomputes recorded decisions with different thresholds. Decisions by a
 * list and outcomes of faults stay unchanged, and so do decisions by a rule unless rules are given.
 * A client that passed a challenge passes it again. A missing threshold is taken from the record,
 * but never exceeds a given one: with `rejectAbove` 30, scores that were flagged above 40 are
 * flagged above 30.
 *
 * @throws {RiskGateError} CONFIG_INVALID
 */
export function createRejudge(options: RejudgeOptions = {}): Rejudge {
  const [given, outcomes, rules, attackMode] = readOptions("createRejudge", options, (read) => [
    readThresholds(read),
    readFlagOutcomes(read),
    // Rules given as plain data report no errors.
    readRules(read, () => {}, listedRules),
    read.value("attackMode") === undefined ? undefined : read.boolean("attackMode", false),
  ]);
  const policies = new Map<string, Policy>();
  const policyOf = (record: DecisionRecord): Policy => {
    const thresholds = rehearsedThresholds(record, given);
    const { ip, email, enforced, policy: recorded } = record;
    const flagged = outcomes ?? recorded.outcomes;
    const key = [
      ...Object.values(thresholds),
      enforced,
      JSON.stringify(flagged),
      ...missingIn(ip),
      ...missingIn(email),
    ].join();
    let policy = policies.get(key);
    if (!policy) {
      if (policies.size >= MAX_POLICIES) policies.clear();
      const whenUnavailable = Object.fromEntries([missingIn(ip), missingIn(email)].filter(isPair));
      const mode = enforced ? "enforce" : "observe";
      const terms: PolicyOptions = {
        ...thresholds,
        ...(flagged && { outcomes: flagged }),
        whenUnavailable,
        mode,
      };
      // Only an application policy could fail, and this one is built in.
      policy = readOptions("createRejudge", terms, (read) => readPolicy(read, () => {}));
      policies.set(key, policy);
    }
    return policy;
  };
  return (record) => {
    const evidence = evidenceOf(record);
    const { id = "", outcome, enforced, because, score } = record;
    const asRecorded: Decision = { id, outcome, enforced, because, score, ...evidence };
    if (because === "override" || because === "blocked") return asRecorded;
    if (!rules && because === "rule") return asRecorded;
    const policy = policyOf(record);
    const steps = rules ? [rules, policy] : [policy];
    const judged = {
      evidence,
      score: totalScore(evidence, policy.terms.rejectAbove),
      facts: {},
      email: ABSENT,
      path: pathOf(record),
    };
    const scored = judge(steps, judged)!;
    const isOn = attackMode ?? evidence.attack?.enforced ?? false;
    const verdict = (isOn && challengeStranger(evidence, scored)) || scored;
    const decided: Decision = { id, ...verdict, enforced, score: judged.score, ...evidence };
    const isPassed = because === "challenge_passed" && decided.outcome === "challenge";
    return isPassed ? { ...decided, outcome, because } : decided;
  };
}

/** Returns the route's path; a record does not contain the request path. */
function pathOf({ route }: DecisionRecord): string | undefined {
  return route?.slice(route.indexOf(" ") + 1);
}

export type GivenThresholds = Readonly<Partial<Record<Threshold, number | undefined>>>;

const THRESHOLDS: readonly Threshold[] = ["flagAbove", "challengeAbove", "rejectAbove"];

function readThresholds(options: OptionReader): GivenThresholds {
  const read = (name: Threshold): number | undefined =>
    options.value(name) === undefined ? undefined : options.number(name, 0, { max: 100 });
  const given = {
    flagAbove: read("flagAbove"),
    challengeAbove: read("challengeAbove"),
    rejectAbove: read("rejectAbove"),
  };
  for (const [at, softer] of THRESHOLDS.entries()) {
    for (const harder of THRESHOLDS.slice(at + 1)) {
      const [low = 0, high = 100] = [given[softer], given[harder]];
      if (low > high) options.refuse(softer, `at most \`${harder}\`, which is ${high}`, low);
    }
  }
  return given;
}

/** Returns the given thresholds, with recorded ones clamped between them. */
export function rehearsedThresholds(
  { policy }: Pick<DecisionRecord, "policy">,
  given: GivenThresholds,
): Record<Threshold, number> {
  const { flagAbove, challengeAbove = policy.rejectAbove, rejectAbove } = policy;
  const between = (name: Threshold, recorded: number): number => {
    const at = THRESHOLDS.indexOf(name);
    const softer = THRESHOLDS.slice(0, at).map((one) => given[one] ?? 0);
    const harder = THRESHOLDS.slice(at + 1).map((one) => given[one] ?? 100);
    return given[name] ?? Math.min(Math.max(recorded, ...softer), ...harder);
  };
  const rejected = between("rejectAbove", rejectAbove);
  // If no score was challenged then, none is challenged now.
  const isChallenged = policy.challengeAbove !== undefined || given.challengeAbove !== undefined;
  return {
    flagAbove: between("flagAbove", flagAbove),
    challengeAbove: isChallenged ? between("challengeAbove", challengeAbove) : rejected,
    rejectAbove: rejected,
  };
}

type Missing = readonly [] | readonly [fault: Fault, outcome: Outcome];

function missingIn(evidence: RecordedEvidence): Missing {
  if (evidence.state === "failed") return [evidence.fault, evidence.outcome];
  const isUnusable = evidence.state === "skipped" && evidence.why === "unusable";
  return isUnusable && evidence.outcome ? ["unreadable", evidence.outcome] : [];
}

function isPair(missing: Missing): missing is readonly [Fault, Outcome] {
  return missing.length > 0;
}

function evidenceOf({ ip, email, velocity, device, attack }: DecisionRecord): EvidencePair {
  return {
    ...(attack && { attack }),
    ...(device && { device }),
    ...(velocity && { velocity: dividedReading(velocity) }),
    ip: ip.state === "scored" ? scoredOf(ip, ipAssessmentOf(ip)) : missingOf(ip),
    email: email.state === "scored" ? scoredOf(email, assessmentOf(email)) : missingOf(email),
  };
}

type RecordedScore = Extract<RecordedEvidence, { state: "scored" }>;

function scoredOf<T>({ source }: RecordedScore, assessment: T): Scored<T> {
  return { state: "scored", assessment, source };
}

function missingOf(evidence: Exclude<RecordedEvidence, RecordedScore>): Skipped | Failed {
  if (evidence.state === "failed") return { state: "failed", fault: evidence.fault };
  return { state: "skipped", why: evidence.why };
}

function ipAssessmentOf(scored: RecordedScore): IpAssessment {
  const assessment = assessmentOf(scored);
  if (scored.country !== undefined) assessment["ip_geo"] = { country_code: scored.country };
  return assessment;
}

function assessmentOf({
  score,
  flags,
}: RecordedScore): Record<string, unknown> & { risk_score: number } {
  const assessment: ReturnType<typeof assessmentOf> = { risk_score: score };
  for (const flag of flags) if (flag.startsWith("is_")) assessment[flag] = true;
  return assessment;
}
