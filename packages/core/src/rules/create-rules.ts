import { GATE_RULE_VOCABULARY } from "./rule-vocabulary.js";
import { checkRules } from "./rule-check.js";
import { rulesRefused } from "./rule-problem.js";
import { compileRules, type RuleSet, type RulesInput } from "./rule-set.js";

/**
 * Compiles rules. Several gates may share the result.
 * @throws {RiskGateError} CONFIG_INVALID, with a JSON Pointer to the mistake and the reason.
 */
export function createRules(rules: RulesInput): RuleSet {
  const given: unknown = Array.isArray(rules) ? { rules } : rules;
  const checked = checkRules(given, GATE_RULE_VOCABULARY);
  if (checked.problems.length > 0) throw rulesRefused("`rules`", checked.problems);
  return compileRules(checked.rules);
}
