import { isThenable } from "../model/awaitable.js";
import type { ErrorHook } from "../base/error-report.js";
import { RiskGateError } from "../base/errors.js";
import type { OptionReader } from "../base/options.js";
import type { OperatorRule } from "./rule.js";
import { checkRules } from "./rule-check.js";
import type { RuleFacts } from "./rule-facts.js";
import { rulesRefused } from "./rule-problem.js";
import { compileRules, type OperatorRules } from "./rule-set.js";
import { type Decision, type EvidencePair, type Outcome, OUTCOMES } from "../model/decision.js";

/** One rule of an operator: when it holds, and what then happens. */
export type Rule = OperatorRule<Outcome>;

/** Rules in their order: the first that holds decides. */
export type RuleSet = OperatorRules<Outcome>;

/** Rules as a list, or as a settings file has them. */
export type RulesInput = readonly Rule[] | { readonly rules: readonly Rule[] };

/** Rules of a gate. */
export interface RulesOption {
  /**
   * Rules of the operator, after the lists and before `decide`, the thresholds and `whenUnavailable`:
   * the rules themselves, or what `createRules` or `openRules` makes.
   */
  readonly rules?: RulesInput | RuleSet;
}

/**
 * Make rules ready for gates, which may share them.
 *
 * @throws {RiskGateError} CONFIG_INVALID, with a JSON Pointer to what is wrong and the reason.
 */
export function createRules(rules: RulesInput): RuleSet {
  const given: unknown = Array.isArray(rules) ? { rules } : rules;
  const checked = checkRules<Outcome>(given, { outcomes: OUTCOMES });
  if (checked.problems.length > 0) throw rulesRefused("`rules`", checked.problems);
  return compileRules(checked.rules);
}

/** The rules of a gate. */
export interface RuleStep {
  /** Whether a rule asks for a challenge now. */
  readonly challenges: boolean;
  /** What the rules make of a request: a part of its decision, or undefined where none holds. */
  apply(
    evidence: EvidencePair,
    facts: Pick<RuleFacts, "address" | "path">,
    score: number | null,
  ): Required<Pick<Decision, "outcome" | "because" | "rule">> | undefined;
}

/**
 * Read the option `rules`.
 *
 * @param report Receives the failure of rules that are the application's own code; none holds then.
 * @throws {RiskGateError} CONFIG_INVALID for anything but rules.
 */
export function readRules(options: OptionReader, report: ErrorHook): RuleStep | undefined {
  const given = options.value("rules");
  if (given === undefined) return undefined;
  const rules = isRuleSet(given) ? given : createRules(given as RulesInput);
  const apply: RuleStep["apply"] = ({ ip, email }, { address, path }, score) => {
    const facts: RuleFacts = {
      ip: ip.state === "scored" ? ip.assessment : undefined,
      email: email.state === "scored" ? email.assessment : undefined,
      address,
      score,
      path,
    };
    let cause: unknown;
    try {
      const rule = rules.match(facts) as Rule | null | undefined;
      if (rule === undefined) return undefined;
      const outcome = OUTCOMES.find((known) => known === rule?.outcome);
      if (rule && outcome) {
        const { name, note } = rule;
        const because = "rule";
        return { outcome, because, rule: note === undefined ? { name } : { name, note } };
      }
      // A promise comes too late, and must not end the process if it rejects.
      if (isThenable(rule)) rule.then(undefined, () => {});
      cause = new TypeError("expected a rule or undefined, and no promise");
    } catch (error) {
      cause = error;
    }
    report(new RiskGateError("HOOK_FAILED", "`match` of the rules failed", { cause }));
    return undefined;
  };
  // A set of the application's own need not list its rules.
  const listed = (rules as Partial<RuleSet>).rules;
  const challenges = Array.isArray(listed) && listed.some(({ outcome }) => outcome === "challenge");
  return { challenges, apply };
}

function isRuleSet(value: unknown): value is RuleSet {
  if (typeof value !== "object" || value === null) return false;
  return typeof (value as Partial<RuleSet>).match === "function";
}
