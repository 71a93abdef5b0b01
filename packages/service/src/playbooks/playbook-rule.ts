import { EVENT_KINDS, INCIDENT_GENRES } from "@riskgate/core";
import type { IncidentGenre } from "@riskgate/core/payloads";
import { MemberReader } from "../events/member-reader.js";

/** What the events of a rule are counted by. */
const COUNTED_BY = ["address", "account", "application"] as const;
type CountedBy = (typeof COUNTED_BY)[number];

/** When a playbook triggers: on events, on incidents, or on the score of an account. */
export type PlaybookRule = EventRule | IncidentRule | ScoreRule;

/** So many events of some kinds within a window, by address, by account or altogether. */
export interface EventRule {
  readonly kinds: readonly string[];
  /** Default 1. */
  readonly count: number;
  /** Default 600,000. */
  readonly windowMs: number;
  /** Default "address". */
  readonly per: CountedBy;
}

/** An incident of some genres that begins or goes on, with so many events. */
export interface IncidentRule {
  readonly genres: readonly IncidentGenre[];
  /** Default 1. */
  readonly count: number;
}

/** An event of an account whose score is above a threshold. */
export interface ScoreRule {
  readonly accountScoreAbove: number;
}

const GENRES = Object.keys(INCIDENT_GENRES) as readonly IncidentGenre[];

const FORMS = ["kinds", "genres", "accountScoreAbove"] as const;

/**
 * Read the rule of a playbook: an object with `kinds`, `genres` or `accountScoreAbove`.
 *
 * @throws {RiskGateError} INVALID_ARGUMENT
 */
export function readPlaybookRule(value: unknown): PlaybookRule {
  const reader = new MemberReader(value, "`rule`", "rule.");
  if (FORMS.filter((name) => reader.value(name) !== undefined).length !== 1) {
    reader.refuse("kinds", "given, or `genres`, or `accountScoreAbove`: exactly one of them");
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

/** Whether so many events are enough for a rule. */
export function isReached({ count }: EventRule | IncidentRule, events: number): boolean {
  return events >= count;
}

/** Whether a score is enough for a rule; exactly the threshold is not. */
export function isAbove({ accountScoreAbove }: ScoreRule, score: number): boolean {
  return score > accountScoreAbove;
}
