import { FLAG_ABOVE, REJECT_ABOVE, RiskGateError } from "@riskgate/core";
import type { RuleFacts } from "@riskgate/core/rules";
import {
  checkRules,
  compileRules,
  describeProblem,
  type OperatorRule,
  type OperatorRules,
  type RuleProblem,
  type RuleVocabulary,
} from "@riskgate/core/internal";
import type { OperatorRuleStore } from "../storage/storage.js";

/**
 * Lowest and highest score for each outcome, because a lookup response has only a score. Source:
 * specification, Resources: above 80 should be dropped, above about 40 flagged.
 */
const SCORES: Readonly<Record<ServiceOutcome, readonly [number, number]>> = {
  allow: [0, FLAG_ABOVE],
  flag: [FLAG_ABOVE + 1, REJECT_ABOVE],
  reject: [REJECT_ABOVE + 1, 100],
};

/** Outcomes without `challenge`: each application sets the score above which it challenges. */
type ServiceOutcome = "allow" | "flag" | "reject";

type ServiceRule = OperatorRule<ServiceOutcome>;

/** Outcomes and conditions of the service's operator rules, for `checkRuleText`. */
export const SERVICE_RULE_VOCABULARY: RuleVocabulary<ServiceOutcome> = {
  outcomes: Object.keys(SCORES) as ServiceOutcome[],
  without: {
    path: "a lookup has no path; write this rule for a gate",
    device: "a lookup has no device; write this rule for a gate",
    header: "a lookup has no headers; write this rule for a gate",
    userAgent: "a lookup has no headers; write this rule for a gate",
    velocity: "a lookup has no velocity; write this rule for a gate",
  },
};

/** Maximum number of problems listed in an error message. */
const MAX_NAMED = 10;

/** The score that an operator rule set. */
export interface RuledScore {
  readonly rule: ServiceRule;
  readonly score: number;
}

export interface ServiceRules {
  list(): readonly ServiceRule[];
  isEmpty(): boolean;
  /**
   * Stores a new set of operator rules, with immediate effect.
   *
   * @param value `{ "rules": [...] }`
   * @throws {RiskGateError} INVALID_ARGUMENT, with pointers and reasons; STORE_FAILED
   */
  replace(value: unknown): Promise<void>;
  /**
   * Loads the operator rules that another process on the same database stored.
   *
   * @throws {RiskGateError} STORE_FAILED
   */
  follow(): Promise<void>;
  /** Returns the score set by the first rule that matches; undefined if none does. */
  apply(facts: RuleFacts & { readonly score: number }): RuledScore | undefined;
}

/**
 * Loads the operator rules. If this version does not accept the stored rules, for example after a
 * downgrade, it reports an error and uses no rules until they are replaced.
 *
 * @throws {RiskGateError} STORE_FAILED
 */
export async function loadServiceRules(
  store: OperatorRuleStore,
  onError: (error: unknown) => void,
): Promise<ServiceRules> {
  const load = async (): Promise<OperatorRules<ServiceOutcome>> => {
    const { rules, problems } = checkRules({ rules: await store.read() }, SERVICE_RULE_VOCABULARY);
    if (problems.length > 0) onError(refusal("CONFIG_INVALID", problems));
    return compileRules(rules);
  };
  let current = await load();
  return {
    list: () => current.rules,
    isEmpty: () => current.rules.length === 0,
    async replace(value) {
      const next = compileChecked(value);
      await store.replace(next.rules);
      current = next;
    },
    async follow() {
      current = await load();
    },
    apply: (facts) => applyRules(current, facts),
  };
}

/**
 * Creates operator rules for a dry run; they are neither stored nor used.
 *
 * @param value `{ "rules": [...] }`
 * @throws {RiskGateError} INVALID_ARGUMENT, with pointers and reasons
 */
export function readServiceRules(value: unknown): Pick<ServiceRules, "list" | "apply"> {
  const compiled = compileChecked(value);
  return { list: () => compiled.rules, apply: (facts) => applyRules(compiled, facts) };
}

function compileChecked(value: unknown): OperatorRules<ServiceOutcome> {
  const { rules, problems } = checkRules(value, SERVICE_RULE_VOCABULARY);
  if (problems.length > 0) throw refusal("INVALID_ARGUMENT", problems);
  return compileRules(rules);
}

function applyRules(
  rules: OperatorRules<ServiceOutcome>,
  facts: Parameters<ServiceRules["apply"]>[0],
): RuledScore | undefined {
  const rule = rules.match(facts);
  if (rule === undefined) return undefined;
  const [lowest, highest] = SCORES[rule.outcome];
  return { rule, score: Math.min(Math.max(facts.score, lowest), highest) };
}

function refusal(
  code: "CONFIG_INVALID" | "INVALID_ARGUMENT",
  problems: readonly RuleProblem[],
): RiskGateError {
  const named = problems.slice(0, MAX_NAMED).map(describeProblem).join("; ");
  const more = problems.length - MAX_NAMED;
  const message = more > 0 ? `${named}; and ${more} more` : named;
  return new RiskGateError(code, `the operator rules are not valid: ${message}`, {
    hint: "Correct these rules and send the whole set again; nothing was changed",
  });
}
