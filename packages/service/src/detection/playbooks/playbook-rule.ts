import { EVENT_KINDS, INCIDENT_GENRES } from "@riskgate/core";
import type { IncidentGenre } from "@riskgate/core/payloads";
import {
  COUNTED_BY,
  type PlaybookRule,
  type EventRule,
  type IncidentRule,
  type ScoreRule,
} from "../../model/playbook.js";
import { MemberReader } from "../events/member-reader.js";

const GENRES = Object.keys(INCIDENT_GENRES) as readonly IncidentGenre[];

const FORMS = ["kinds", "genres", "accountScoreAbove"] as const;

/**
 * Reads the rule of a playbook: an object with `kinds`, `genres` or `accountScoreAbove`.
 *
 * @throws {RiskGateError} INVALID_ARGUMENT
 */
export function readPlaybookRule(value: unknown): PlaybookRule {
  const reader = new MemberReader(value, "`rule`", "rule.");
  if (FORMS.filter((name) => reader.value(name) !== undefined).length !== 1) {
    reader.refuse("kinds` or `genres` or `accountScoreAbove", "given, but only one of them");
  }
  const rule = readForm(reader);
  reader.refuseOthers();
  return rule;
}

function readForm(reader: MemberReader): PlaybookRule {
  const readCount = () => reader.whole("count", 1, 1000) ?? 1;
  const kinds = reader.words("kinds", EVENT_KINDS);
  if (kinds) {
    return {
      kinds,
      count: readCount(),
      windowMs: reader.whole("windowMs", 1000, 86_400_000) ?? 600_000,
      per: reader.word("per", COUNTED_BY) ?? "address",
    };
  }
  const genres = reader.words("genres", GENRES);
  if (genres) return { genres, count: readCount() };
  return { accountScoreAbove: reader.number("accountScoreAbove", 0, 100)! };
}

/** Returns true if the number of events reaches the count of a rule. */
export function isReached({ count }: EventRule | IncidentRule, events: number): boolean {
  return events >= count;
}

export function isAbove({ accountScoreAbove }: ScoreRule, score: number): boolean {
  return score > accountScoreAbove;
}
