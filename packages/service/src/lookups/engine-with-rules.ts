import type { Assessment, EmailAssessment, IpAssessment, RiskLookup } from "@riskgate/core";
import type { RuleFacts } from "@riskgate/core/rules";
import type { Engine, Explanation, IpExplanation } from "@riskgate/engine";
import type { RuledScore, ServiceRules } from "./operator-rule-set.js";

/** The operator rule that set a score, which is the sum of the signals plus `adds`. */
export interface AppliedRule {
  readonly name: string;
  readonly outcome: string;
  readonly note?: string;
  readonly adds: number;
}

/** An explanation with the operator rule that set the score, if a rule matched. */
type WithRule<T> = T & { readonly rule?: AppliedRule };

/** An engine that applies the operator rules to its scores. */
export interface EngineWithRules extends Required<RiskLookup> {
  /** Rejects with the same errors as a lookup. */
  explainIp(ip: string): Promise<WithRule<IpExplanation>>;
  /** Rejects with the same errors as a lookup. */
  explainEmail(email: string): Promise<WithRule<Explanation<EmailAssessment>>>;
}

/** Explanations without the operator rules. */
export interface PlainExplanations {
  explainIp(ip: string): Promise<IpExplanation>;
  explainEmail(email: string): Promise<Explanation<EmailAssessment>>;
}

/** The lookups of an engine with some ledger. */
export type EngineLookups = ReturnType<Engine["withLedger"]>;

/** Creates an engine that applies the operator rules to the assessments of another one. */
export function createEngineWithRules(engine: EngineLookups, rules: ServiceRules): EngineWithRules {
  const aboutIp = (ip: IpAssessment, address: string): IpAssessment =>
    withRule(ip, rules.apply(factsOfIp(ip, address)));
  const aboutEmail = (email: EmailAssessment, address: string): EmailAssessment =>
    withRule(email, rules.apply(factsOfEmail(email, address)));
  return {
    peekIp(ip) {
      const found = engine.peekIp(ip);
      if (!found || rules.isEmpty()) return found;
      return { ...found, assessment: aboutIp(found.assessment, ip) };
    },
    peekEmail(email) {
      const found = engine.peekEmail(email);
      if (!found || rules.isEmpty()) return found;
      return { ...found, assessment: aboutEmail(found.assessment, email) };
    },
    lookupIp: async (ip, options) => aboutIp(await engine.lookupIp(ip, options), ip),
    lookupEmail: async (email, options) =>
      aboutEmail(await engine.lookupEmail(email, options), email),
    async explainIp(ip) {
      const explanation = engine.explainIp(ip);
      return explained(explanation, rules.apply(factsOfIp(explanation.assessment, ip)));
    },
    async explainEmail(email) {
      // Loads the DNS records of the domain, so that the explanation includes them.
      await engine.lookupEmail(email);
      const explanation = engine.explainEmail(email);
      return explained(explanation, rules.apply(factsOfEmail(explanation.assessment, email)));
    },
  };
}

/** Facts from an assessment, with the score that operator rules may change. */
export type ScoredFacts = RuleFacts & { readonly score: number };

export function factsOfIp(ip: IpAssessment, clientIp: string): ScoredFacts {
  return { ip, clientIp, score: ip.risk_score };
}

export function factsOfEmail(email: EmailAssessment, address: string): ScoredFacts {
  return { email, address, score: email.risk_score };
}

function withRule<T extends Assessment>(assessment: T, by: RuledScore | undefined): T {
  return by ? { ...assessment, risk_score: by.score } : assessment;
}

function explained<T extends Explanation<Assessment>>(
  explanation: T,
  by: RuledScore | undefined,
): WithRule<T> {
  if (!by) return explanation;
  const { name, outcome, note } = by.rule;
  const adds = by.score - explanation.score;
  return {
    ...explanation,
    score: by.score,
    assessment: withRule(explanation.assessment, by),
    rule: { name, outcome, ...(note !== undefined && { note }), adds },
  };
}
