/**
 * Operator rules: conditions on requests that decide before the thresholds, as data or in a file.
 *
 * @module
 */
export { type RuleFile, openRules } from "./rules/open-rules.js";
export { createRules } from "./rules/create-rules.js";
export type { Rule, RuleSet, RulesInput } from "./rules/rule-set.js";
export type { RuleFacts } from "./rules/rule-facts.js";
export type { RuleFileOptions } from "./rules/rule-file.js";
export type { FlagConditions, RuleConditions, RuleFlag } from "./rules/rule.js";
