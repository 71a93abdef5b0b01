import { RiskGateError } from "@riskgate/core";
import { isDecisionRecord, nearest } from "@riskgate/core/internal";
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

/** Maximum length of a name that is compared with the members, in characters. */
const MAX_MISSPELT = 64;

/** Members of a record. A record without a required one is refused anyway. */
const REQUIRED: ReadonlySet<string> = new Set(
  "v at route outcome enforced because score ip email policy".split(" "),
);
const OPTIONAL = ["id", "velocity", "rule", "flag", "device"] as const;

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
  const { id = randomId(), ...record } = value;
  refuseMisspelt(record);
  const decidedMs = Date.parse(record.at);
  if (Number.isNaN(decidedMs)) throw refusal("`at` must be a valid time");
  if (JSON.stringify(record).length > MAX_RECORD) {
    throw refusal(`a record must have at most ${MAX_RECORD} characters`);
  }
  return { id, decidedAt: instantOf(decidedMs), record };
}

/** Refuses a member that is probably misspelled; other members may belong to a later version. */
function refuseMisspelt(record: object): void {
  for (const name of Object.keys(record)) {
    if (REQUIRED.has(name) || name.length > MAX_MISSPELT) continue;
    const near = nearest(name, OPTIONAL);
    if (near !== undefined && near !== name)
      throw refusal(`a record has a misspelt member; did you mean \`${near}\`?`);
  }
}

function refusal(message: string): RiskGateError {
  return new RiskGateError("INVALID_ARGUMENT", message);
}
