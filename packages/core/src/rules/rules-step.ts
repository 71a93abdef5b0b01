import { callSyncHook } from "../base/call-hook.js";
import type { ErrorHook } from "../base/error-report.js";
import type { OptionReader } from "../base/options.js";
import { totalScore } from "../decision/policy.js";
import type { Step, Verdict } from "../decision/step.js";
import { OUTCOMES } from "../model/decision.js";
import { textOf } from "../model/fact.js";
import type { Judged } from "../model/judged.js";
import { isOwnSubject } from "../model/velocity-reading.js";
import type { RuleFacts } from "./rule-facts.js";
import type { Rule, RuleSet, RulesInput } from "./rule-set.js";

export interface RulesOption {
  /**
   * Operator rules, evaluated after the lists and before `decide`, the thresholds and
   * `whenUnavailable`: as data, or as created by `createRules()` or `openRules()`.
   */
  readonly rules?: RulesInput | RuleSet;
}

/**
 * Reads the option `rules`.
 * @param report Receives errors from an application's rule set; then no rule matches.
 * @param compile Compiles rules given as data.
 * @throws {RiskGateError} CONFIG_INVALID for any other value.
 */
export function readRules(
  options: OptionReader,
  report: ErrorHook,
  compile: (rules: RulesInput) => RuleSet,
): Step | undefined {
  const given = options.value("rules");
  if (given === undefined) return undefined;
  const rules = isRuleSet(given) ? given : compile(given as RulesInput);
  // An application's rule set may not list its rules.
  const listed = (rules as Partial<RuleSet>).rules;
  const challenges = Array.isArray(listed) && listed.some(({ outcome }) => outcome === "challenge");
  return {
    name: "rules",
    challengedBy: challenges ? "rules" : undefined,
    judge(judged) {
      const how = { report, expects: readMatch, otherwise: undefined };
      const match = (score: number | null, velocity: readonly string[]): Verdict | undefined =>
        callSyncHook("`match` of the rules", () => rules.match({ ...facts, score, velocity }), how);
      const facts = factsOf(judged);
      const subjects = judged.evidence.velocity?.signals.map(({ name }) => name) ?? [];
      const verdict = match(judged.score, subjects);
      if (verdict?.outcome !== "reject") return verdict;
      // A rule never refuses a request because of counts that others can cause.
      const score = totalScore(judged.evidence, 0);
      const own = subjects.filter(isOwnSubject);
      const isOwn = score === judged.score && own.length === subjects.length;
      return isOwn ? verdict : match(score, own);
    },
  };
}

type Facts = Omit<RuleFacts, "score" | "velocity">;

function factsOf({ evidence, email: address, path, headers }: Judged): Facts {
  const { ip, email, device } = evidence;
  return {
    headers,
    device,
    ip: ip.state === "scored" ? ip.assessment : undefined,
    email: email.state === "scored" ? email.assessment : undefined,
    address: textOf(address),
    path,
  };
}

function readMatch(value: unknown): Verdict | undefined {
  if (value === undefined) return undefined;
  const { name, note, outcome: given } = (value ?? {}) as Partial<Rule>;
  const outcome = OUTCOMES.find((known) => known === given);
  if (!outcome) throw new TypeError("expected a rule or undefined, not a promise");
  const rule = { name: name!, ...(note !== undefined && { note }) };
  return { outcome, because: "rule", rule };
}

function isRuleSet(value: unknown): value is RuleSet {
  if (typeof value !== "object" || value === null) return false;
  return typeof (value as Partial<RuleSet>).match === "function";
}
