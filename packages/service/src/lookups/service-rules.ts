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
 * Scores that stand for each outcome, lowest and highest: a lookup is answered with a score and
 * nothing else. Source: specification, Resources: above 80 should be dropped, above about 40 flagged.
 */
const SCORES: Readonly<Record<ServiceOutcome, readonly [number, number]>> = {
  allow: [0, FLAG_ABOVE],
  flag: [FLAG_ABOVE + 1, REJECT_ABOVE],
  reject: [REJECT_ABOVE + 1, 100],
};

/** No `challenge`: from which score an application asks for more is its own setting. */
type ServiceOutcome = "allow" | "flag" | "reject";

/** A rule of the service. */
type ServiceRule = OperatorRule<ServiceOutcome>;

/** What rules of a service can say, for `checkRuleText` of `@riskgate/core/adapter`. */
export const SERVICE_RULE_VOCABULARY: RuleVocabulary<ServiceOutcome> = {
  outcomes: Object.keys(SCORES) as ServiceOutcome[],
  without: { path: "a lookup has no path; write this rule for a gate" },
};

/** Most problems that one refusal names. */
const MAX_NAMED = 10;

/** What a rule makes of a score. */
export interface RuledScore {
  readonly rule: ServiceRule;
  readonly score: number;
}

/** The rules of the operator in use. */
export interface ServiceRules {
  list(): readonly ServiceRule[];
  /**
   * Put others in their place, on disk and in use.
   *
   * @param value `{ "rules": [...] }`
   * @throws {RiskGateError} INVALID_ARGUMENT, with pointers and reasons; STORE_FAILED
   */
  replace(value: unknown): Promise<void>;
  /**
   * Take what another process on the same database has put in their place.
   *
   * @throws {RiskGateError} STORE_FAILED
   */
  follow(): Promise<void>;
  /** The score by the first rule that holds; undefined where none does. */
  apply(facts: RuleFacts & { readonly score: number }): RuledScore | undefined;
}

/**
 * Load the rules. Stored ones that this version does not take, as those of a later version, are
 * reported, and none is in use until they are replaced.
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
 * Make rules to try; nothing is stored or in use.
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
  const left = problems.length - MAX_NAMED;
  const message = left > 0 ? `${named}; and ${left} more` : named;
  return new RiskGateError(code, `the rules cannot be used: ${message}`, {
    hint: "Correct what is named and put the whole set again; nothing was changed",
  });
}
