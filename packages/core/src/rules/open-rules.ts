import { type OperatorRuleFile, openRuleFile, type RuleFileOptions } from "./rule-file.js";
import { type Outcome, OUTCOMES } from "../model/decision.js";

/** Rules of a settings file, loaded again when it changes. */
export type RuleFile = OperatorRuleFile<Outcome>;

/**
 * Loads rules from a settings file of JSON, and again when it changes: a file with a mistake leaves
 * the earlier rules in use.
 *
 * @throws {RiskGateError} CONFIG_INVALID, by rejection, with the line, the column and the reason.
 */
export async function openRules(path: string, options: RuleFileOptions = {}): Promise<RuleFile> {
  return openRuleFile(path, options, { outcomes: OUTCOMES });
}
