import { type OperatorRuleFile, openRuleFile, type RuleFileOptions } from "./rule-file.js";
import type { Outcome } from "../model/decision.js";
import { GATE_RULE_VOCABULARY } from "./rule-vocabulary.js";

/** Rules of a settings file, reloaded when it changes. */
export type RuleFile = OperatorRuleFile<Outcome>;

/**
 * Loads rules from a JSON settings file, and reloads them when it changes. If the new file has a
 * mistake, the previous rules stay in use.
 * @throws {RiskGateError} CONFIG_INVALID, by rejection, with the line, the column and the reason.
 */
export async function openRules(path: string, options: RuleFileOptions = {}): Promise<RuleFile> {
  return openRuleFile(path, options, GATE_RULE_VOCABULARY);
}
