import { type Outcome, OUTCOMES } from "../model/decision.js";
import type { RuleConditions } from "./rule.js";

/** The outcomes and conditions that a consumer of rules supports. */
export interface RuleVocabulary<Word extends string> {
  readonly outcomes: readonly Word[];
  /** Conditions that can never hold for this consumer, each with the reason. */
  readonly without?: Readonly<Partial<Record<keyof RuleConditions, string>>>;
}

const BY_LIST = "list it in the gate's `allow` or `deny`; only rules of the service can name it";

export const GATE_RULE_VOCABULARY: RuleVocabulary<Outcome> = {
  outcomes: OUTCOMES,
  without: { network: BY_LIST, email: BY_LIST },
};
