import type { Decision } from "../model/decision.js";
import type { OperatorRule } from "./rule.js";
import { compileConditions } from "./rule-conditions.js";
import { type RuleFacts, RuleSubject } from "./rule-facts.js";

export interface OperatorRules<Outcome extends string> {
  /** The rules as they were given, copied and frozen. */
  readonly rules: readonly OperatorRule<Outcome>[];
  match(facts: RuleFacts): OperatorRule<Outcome> | undefined;
}

export function compileRules<Outcome extends string>(
  rules: readonly OperatorRule<Outcome>[],
): OperatorRules<Outcome> {
  const compiled = rules.map((rule) => ({ rule, holds: compileConditions(rule.when) }));
  return {
    rules,
    match(facts) {
      const subject = new RuleSubject(facts);
      for (const { rule, holds } of compiled) if (holds(subject) === true) return rule;
      return undefined;
    },
  };
}

export type Rule = OperatorRule<Decision["outcome"]>;

/** Rules in order: the first that matches decides. */
export type RuleSet = OperatorRules<Decision["outcome"]>;

/** Rules as a list, or in the form of a settings file. */
export type RulesInput = readonly Rule[] | { readonly rules: readonly Rule[] };
