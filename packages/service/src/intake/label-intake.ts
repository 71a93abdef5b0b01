import { emailProblem, mailboxOf } from "@riskgate/core/address";
import { MemberReader } from "../detection/events/member-reader.js";
import {
  readElements,
  type Report,
  type ReportedElement,
  reportOf,
} from "../detection/events/report.js";
import type { Instant } from "../model/instant.js";
import { LABELS } from "../model/label.js";
import type { StoredLabel } from "../model/stored-label.js";
import type { Labels } from "../storage/event-store.js";

const DECISION_ID = /^[\w.:-]{1,64}$/;

const DIGEST = /^[0-9a-f]{32}$/;

/**
 * Stores labels, which only a rehearsal uses. The latest label of a decision or account counts, so a
 * label is a duplicate if the same or a later one is stored.
 *
 * @throws {RiskGateError} INVALID_ARGUMENT unless it is an array of at most 1,000; STORE_FAILED
 */
export async function takeLabels(
  labels: Pick<Labels, "put">,
  applicationId: string,
  values: unknown,
  now: Instant,
): Promise<Report> {
  const elements = readElements(values, (value) => readLabel(value, now));
  const latest = new Map<string, StoredLabel>();
  for (const one of elements) {
    if (!("value" in one)) continue;
    const known = latest.get(keyOf(one.value));
    if (!known || one.value.labelledAt >= known.labelledAt) latest.set(keyOf(one.value), one.value);
  }
  const changed = await labels.put(applicationId, [...latest.values()]);
  const reported = elements.map((one): ReportedElement => {
    if (!("value" in one)) return { state: "refused", reason: one.reason };
    const key = keyOf(one.value);
    const isStored = latest.get(key) === one.value && changed.has(key);
    return { state: isStored ? "accepted" : "duplicate" };
  });
  return reportOf(reported, []);
}

function keyOf({ about, target }: StoredLabel): string {
  return `${about} ${target}`;
}

function readLabel(value: unknown, now: Instant): StoredLabel {
  const reader = new MemberReader(value, "a label");
  const decisionId = reader.text("decisionId", 64);
  const account = reader.value("account");
  const digest = reader.text("digest", 32);
  const label = reader.word("label", LABELS) ?? reader.missing("label");
  const labelledAt = reader.instant(now, "at");
  reader.refuseOthers();
  if (decisionId !== undefined) {
    for (const [name, given] of Object.entries({ account, digest })) {
      if (given !== undefined) reader.refuse(name, "omitted if `decisionId` is given");
    }
    if (!DECISION_ID.test(decisionId)) {
      reader.refuse("decisionId", "1 to 64 letters, digits, dots, colons, hyphens, underscores");
    }
    return { about: "decision", target: decisionId, digest: null, label, labelledAt };
  }
  if (account === undefined) reader.refuse("decisionId", "given if `account` is missing");
  if (emailProblem(account) !== undefined) {
    reader.refuse("account", "an account identifier of at most 320 bytes");
  }
  if (digest !== undefined && !DIGEST.test(digest)) reader.refuse("digest", "32 hex digits");
  const target = mailboxOf(account as string);
  return { about: "account", target, digest: digest ?? null, label, labelledAt };
}
