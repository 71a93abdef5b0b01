import { RiskGateError } from "@riskgate/core";
import { isDecisionRecord } from "@riskgate/core/internal";
import {
  readElements,
  type Report,
  type ReportedElement,
  reportOf,
} from "../detection/events/report.js";
import type { Decisions } from "../storage/event-store.js";
import type { LoggedDecision } from "../model/decision.js";
import { instantOf } from "../model/instant.js";
import { randomId } from "../model/random-id.js";

/** Maximum length of a record as JSON, in characters; records from gates are far smaller. */
const MAX_RECORD = 4_096;

const ID = /^[\w.:-]{1,64}$/;

/**
 * Stores logged decisions, which have no other effect. A decision whose id was already reported is a
 * duplicate.
 *
 * @throws {RiskGateError} INVALID_ARGUMENT unless it is an array of at most 1,000; STORE_FAILED
 */
export async function takeDecisions(
  decisions: Pick<Decisions, "insertNew">,
  applicationId: string,
  values: unknown,
): Promise<Report> {
  const elements = readElements(values, readDecision);
  const read = elements.flatMap((one) => ("value" in one ? [one.value] : []));
  const fresh = new Set(await decisions.insertNew(applicationId, read));
  const reported = elements.map((one): ReportedElement => {
    if (!("value" in one)) return { state: "refused", reason: one.reason };
    const { id } = one.value;
    return { state: fresh.delete(id) ? "accepted" : "duplicate", id };
  });
  return reportOf(reported, []);
}

function readDecision(value: unknown): LoggedDecision {
  if (!isDecisionRecord(value)) throw refusal("expected a decision record of version 1");
  const { id = randomId(), ...record } = value as typeof value & { readonly id?: unknown };
  if (typeof id !== "string" || !ID.test(id)) {
    throw refusal(
      "`id` must be text of 1 to 64 letters, digits, dots, colons, hyphens, underscores",
    );
  }
  const decidedMs = Date.parse(record.at);
  if (Number.isNaN(decidedMs)) throw refusal("`at` must be a valid time");
  if (JSON.stringify(record).length > MAX_RECORD) {
    throw refusal(`a record must have at most ${MAX_RECORD} characters`);
  }
  return { id, decidedAt: instantOf(decidedMs), record };
}

function refusal(message: string): RiskGateError {
  return new RiskGateError("INVALID_ARGUMENT", message);
}
