import { destinationOf, foldEmail, normalizeIp } from "@riskgate/core/address";
import type { EmailExplanation, IpExplanation } from "@riskgate/api-types";
import type { LedgerEntry, Subject } from "../../model/subject.js";
import type { Storage } from "../../storage/storage.js";
import type { ApiAnswer } from "../api-answer.js";
import { emailBody, ipBody } from "../assessment-body.js";
import type { AdminParts } from "./admin-parts.js";
import { explanationView, geoView } from "./explanation-view.js";

type ExplainParts = Pick<AdminParts, "storage" | "explainOf">;

/** Maximum number of ledger entries shown; the counts include all entries. */
const MAX_ENTRIES = 20;

/**
 * Explains the score of an address.
 *
 * @param reader Application that receives the score; default any.
 * @throws {RiskGateError} INVALID_ARGUMENT
 */
export async function explainIp(
  { storage, explainOf }: ExplainParts,
  given: string,
  reader: string | undefined,
): Promise<ApiAnswer<IpExplanation>> {
  const explanation = await explainOf(reader).explainIp(given);
  const ip = normalizeIp(given)!;
  const { rule } = explanation;
  const subject: Subject = { type: "ip", subject: destinationOf(given)! };
  const view = explanationView(explanation, {
    assessment: ipBody(ip, explanation.assessment),
    entries: await entriesOf(storage, subject, reader),
    rules: rule ? [rule] : [],
  });
  return { ...view, geo: geoView(explanation) };
}

/** Explains the score of an account, as {@link explainIp} does. */
export async function explainEmail(
  { storage, explainOf }: ExplainParts,
  email: string,
  reader: string | undefined,
): Promise<ApiAnswer<EmailExplanation>> {
  const explanation = await explainOf(reader).explainEmail(email);
  const { rule } = explanation;
  const subject: Subject = { type: "account", subject: foldEmail(email) };
  const view = explanationView(explanation, {
    assessment: emailBody(email, explanation.assessment),
    entries: await entriesOf(storage, subject, reader),
    rules: rule ? [rule] : [],
  });
  return { ...view, is_forwarding: explanation.assessment.is_forwarding === true };
}

/**
 * Returns the newest entries of a subject in all its spellings.
 *
 * @param reader Application for which the entries count; default any.
 */
function entriesOf(
  { ledger }: Storage,
  subject: Subject,
  reader: string | undefined,
): Promise<readonly LedgerEntry[]> {
  const scope = reader === undefined ? undefined : { isShared: true, applicationId: reader };
  return ledger.entriesOf(subject, MAX_ENTRIES, scope);
}
