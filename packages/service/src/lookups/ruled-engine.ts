import type { Assessment, EmailAssessment, IpAssessment, RiskLookup } from "@riskgate/core";
import type { RuleFacts } from "@riskgate/core/rules";
import type { Engine, Explanation, IpExplanation } from "@riskgate/engine";
import type { RuledScore, ServiceRules } from "./operator-rule-set.js";

/** The operator rule that set a score. The score is `adds` plus what the signals add. */
export interface AppliedRule {
  readonly name: string;
  readonly outcome: string;
  readonly note?: string;
  readonly adds: number;
}

/** An explanation, with the operator rule that set the score if one matched. */
type Ruled<T> = T & { readonly rule?: AppliedRule };

/** Answers lookups with scores to which the operator rules were applied. */
export interface RuledEngine extends Required<RiskLookup> {
  /** @throws {RiskGateError} as a lookup, by rejection */
  explainIp(ip: string): Promise<Ruled<IpExplanation>>;
  /** @throws {RiskGateError} as a lookup, by rejection */
  explainEmail(email: string): Promise<Ruled<Explanation<EmailAssessment>>>;
}

/** Applies the operator rules to the answers of an engine. */
export function createRuledEngine(engine: Engine, rules: ServiceRules): RuledEngine {
  const aboutIp = (ip: IpAssessment): IpAssessment => ruled(ip, rules.apply(factsOfIp(ip)));
  const aboutEmail = (email: EmailAssessment, address: string): EmailAssessment =>
    ruled(email, rules.apply(factsOfEmail(email, address)));
  return {
    peekIp(ip) {
      const found = engine.peekIp(ip);
      if (!found || rules.isEmpty()) return found;
      return { ...found, assessment: aboutIp(found.assessment) };
    },
    peekEmail(email) {
      const found = engine.peekEmail(email);
      if (!found || rules.isEmpty()) return found;
      return { ...found, assessment: aboutEmail(found.assessment, email) };
    },
    lookupIp: async (ip, options) => aboutIp(await engine.lookupIp(ip, options)),
    lookupEmail: async (email, options) =>
      aboutEmail(await engine.lookupEmail(email, options), email),
    async explainIp(ip) {
      const explanation = engine.explainIp(ip);
      return explained(explanation, rules.apply(factsOfIp(explanation.assessment)));
    },
    async explainEmail(email) {
      // Loads what DNS says about the domain, so that the explanation includes it.
      await engine.lookupEmail(email);
      const explanation = engine.explainEmail(email);
      return explained(explanation, rules.apply(factsOfEmail(explanation.assessment, email)));
    },
  };
}

/** Facts of an assessment, with the score that operator rules may change. */
export type ScoredFacts = RuleFacts & { readonly score: number };

/** Returns the facts of an IP address for operator rules. */
export function factsOfIp(ip: IpAssessment): ScoredFacts {
  return { ip, score: ip.risk_score };
}

/** Returns the facts of an email for operator rules. */
export function factsOfEmail(email: EmailAssessment, address: string): ScoredFacts {
  return { email, address, score: email.risk_score };
}

function ruled<T extends Assessment>(assessment: T, by: RuledScore | undefined): T {
  return by ? { ...assessment, risk_score: by.score } : assessment;
}

function explained<T extends Explanation<Assessment>>(
  explanation: T,
  by: RuledScore | undefined,
): Ruled<T> {
  if (!by) return explanation;
  const { name, outcome, note } = by.rule;
  const adds = by.score - explanation.score;
  return {
    ...explanation,
    score: by.score,
    assessment: ruled(explanation.assessment, by),
    rule: { name, outcome, ...(note !== undefined && { note }), adds },
  };
}
