import type { Assessment, EmailAssessment, IpAssessment, RiskLookup, Scored } from "@riskgate/core";
import type { RuleFacts } from "@riskgate/core/rules";
import type { Engine, Explanation, IpExplanation } from "@riskgate/engine";
import type { RuledScore, ServiceRules } from "./service-rules.js";

/** The rule that set a score. What it adds and the signals add is the score. */
interface AppliedRule {
  readonly name: string;
  readonly outcome: string;
  readonly note?: string;
  readonly adds: number;
}

/** An explanation with the rule that set the score, where one holds. */
type Ruled<T> = T & { readonly rule?: AppliedRule };

/** Answers lookups with the scores that the rules of the operator set. */
export interface RuledEngine extends Required<RiskLookup> {
  /** @throws {RiskGateError} as a lookup, by rejection */
  explainIp(ip: string): Promise<Ruled<IpExplanation>>;
  /** @throws {RiskGateError} as a lookup, by rejection */
  explainEmail(email: string): Promise<Ruled<Explanation<EmailAssessment>>>;
}

/** Put the rules behind an engine. */
export function createRuledEngine(engine: Engine, rules: ServiceRules): RuledEngine {
  const aboutIp = (ip: IpAssessment): IpAssessment => ruled(ip, rules.apply(factsOfIp(ip)));
  const aboutEmail = (email: EmailAssessment, address: string): EmailAssessment =>
    ruled(email, rules.apply(factsOfEmail(email, address)));
  return {
    peekIp: (ip) => peeked(engine.peekIp(ip), aboutIp),
    peekEmail: (email) => peeked(engine.peekEmail(email), (found) => aboutEmail(found, email)),
    lookupIp: async (ip, options) => aboutIp(await engine.lookupIp(ip, options)),
    lookupEmail: async (email, options) =>
      aboutEmail(await engine.lookupEmail(email, options), email),
    async explainIp(ip) {
      const explanation = engine.explainIp(ip);
      return explained(explanation, rules.apply(factsOfIp(explanation.assessment)));
    },
    async explainEmail(email) {
      // What DNS says is part of the explanation once it is in memory.
      await engine.lookupEmail(email);
      const explanation = engine.explainEmail(email);
      return explained(explanation, rules.apply(factsOfEmail(explanation.assessment, email)));
    },
  };
}

/** What rules are applied to, with the score that they may change. */
export type ScoredFacts = RuleFacts & { readonly score: number };

/** What rules read of an address. */
export function factsOfIp(ip: IpAssessment): ScoredFacts {
  return { ip, score: ip.risk_score };
}

/** What rules read of an email. */
export function factsOfEmail(email: EmailAssessment, address: string): ScoredFacts {
  return { email, address, score: email.risk_score };
}

function ruled<T extends Assessment>(assessment: T, by: RuledScore | undefined): T {
  return by ? { ...assessment, risk_score: by.score } : assessment;
}

function peeked<T>(found: Scored<T> | undefined, rule: (assessment: T) => T) {
  return found && { ...found, assessment: rule(found.assessment) };
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
