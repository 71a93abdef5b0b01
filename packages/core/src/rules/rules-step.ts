import { callSyncHook } from "../base/call-hook.js";
import type { ErrorHook } from "../base/error-report.js";
import type { OptionReader } from "../base/options.js";
import { totalScore } from "../decision/policy.js";
import type { Step, Verdict } from "../decision/step.js";
import { type Outcome, OUTCOMES } from "../model/decision.js";
import { textOf } from "../model/fact.js";
import type { Judged } from "../model/judged.js";
import type { OperatorRule } from "./rule.js";
import { checkRules } from "./rule-check.js";
import type { RuleFacts } from "./rule-facts.js";
import { rulesRefused } from "./rule-problem.js";
import { compileRules, type OperatorRules } from "./rule-set.js";

/** One operator rule: its conditions, and the outcome if they hold. */
export type Rule = OperatorRule<Outcome>;

/** Rules in order: the first that matches decides. */
export type RuleSet = OperatorRules<Outcome>;

/** Rules as a list, or in the form of a settings file. */
export type RulesInput = readonly Rule[] | { readonly rules: readonly Rule[] };

/** Operator rules of a gate. */
export interface RulesOption {
  /**
   * Operator rules, evaluated after the lists and before `decide`, the thresholds and
   * `whenUnavailable`: as data, or as created by `createRules()` or `openRules()`.
   */
  readonly rules?: RulesInput | RuleSet;
}

/**
 * Compiles rules. Several gates may share the result.
 *
 * @throws {RiskGateError} CONFIG_INVALID, with a JSON Pointer to the mistake and the reason.
 */
export function createRules(rules: RulesInput): RuleSet {
  const given: unknown = Array.isArray(rules) ? { rules } : rules;
  const checked = checkRules<Outcome>(given, { outcomes: OUTCOMES });
  if (checked.problems.length > 0) throw rulesRefused("`rules`", checked.problems);
  return compileRules(checked.rules);
}

/**
 * Reads the option `rules`.
 *
 * @param report Receives errors from an application's own rule set; then no rule matches.
 * @throws {RiskGateError} CONFIG_INVALID for any other value.
 */
export function readRules(options: OptionReader, report: ErrorHook): Step | undefined {
  const given = options.value("rules");
  if (given === undefined) return undefined;
  const rules = isRuleSet(given) ? given : createRules(given as RulesInput);
  // An application's own rule set may not list its rules.
  const listed = (rules as Partial<RuleSet>).rules;
  const challenges = Array.isArray(listed) && listed.some(({ outcome }) => outcome === "challenge");
  return {
    name: "rules",
    challengedBy: challenges ? "rules" : undefined,
    judge(judged) {
      const how = { report, expects: readMatch, otherwise: undefined };
      const match = (score: number | null): Verdict | undefined =>
        callSyncHook("`match` of the rules", () => rules.match({ ...facts, score }), how);
      const facts = factsOf(judged);
      const verdict = match(judged.score);
      if (verdict?.outcome !== "reject") return verdict;
      // A rule refuses nobody for the points of subjects that others can fill.
      const own = totalScore(judged.evidence, 0);
      return own === judged.score ? verdict : match(own);
    },
  };
}

type Facts = Omit<RuleFacts, "score">;

function factsOf({ evidence: { ip, email }, email: address, path }: Judged): Facts {
  return {
    ip: ip.state === "scored" ? ip.assessment : undefined,
    email: email.state === "scored" ? email.assessment : undefined,
    address: textOf(address),
    path,
  };
}

/** Reads the rule matched by a rule set, which may be application code. */
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
