import type { Playbook, LoadedPlaybook } from "../../model/playbook.js";
import { isRiskGateError } from "@riskgate/core";
import { MemberReader } from "../events/member-reader.js";
import type { StoredPlaybook } from "../../model/playbook.js";
import { readPlaybookResponse } from "./playbook-response.js";
import { readPlaybookRule } from "./playbook-rule.js";

/**
 * Reads a playbook: `{ name, rule, response?, enabled? }`. Other members are rejected.
 *
 * @throws {RiskGateError} INVALID_ARGUMENT
 */
export function readPlaybook(value: unknown): Playbook {
  const reader = new MemberReader(value, "the playbook");
  const playbook = {
    name: reader.line("name", 128) ?? reader.missing("name"),
    rule: readPlaybookRule(reader.value("rule")),
    response: readPlaybookResponse(reader.value("response") ?? {}),
    enabled: reader.flag("enabled") ?? true,
  };
  reader.refuseOthers();
  return playbook;
}

/** Reads a stored playbook; undefined if this version cannot read it, so that others still run. */
export function loadPlaybook(stored: StoredPlaybook): LoadedPlaybook | undefined {
  const { id, name, rule, response, enabled } = stored;
  try {
    return { ...readPlaybook({ name, rule, response, enabled }), id };
  } catch (error) {
    if (isRiskGateError(error)) return undefined;
    throw error;
  }
}

export function loadEnabled(stored: readonly StoredPlaybook[]): readonly LoadedPlaybook[] {
  return stored.filter(({ enabled }) => enabled).flatMap((one) => loadPlaybook(one) ?? []);
}
