import type { EventKind, IncidentGenre } from "@riskgate/core/payloads";
import type { IncidentThresholds } from "./incident-settings.js";

/** Which events make incidents of one genre. */
export interface GenreRule {
  readonly genre: IncidentGenre;
  readonly kinds: readonly string[];
  /** Events with the same subject are one incident. */
  readonly about: "application" | "account";
  /** How many events within the window begin one: a threshold, or always one. */
  readonly least: keyof IncidentThresholds | 1;
}

/** The rules over events; peaks of counters and scores of accounts make the other genres. */
export const GENRE_RULES: readonly GenreRule[] = [
  byApplication("vulnerable_packages", "packageEvents", "package_vulnerable"),
  byApplication("injection_eval", "injectionEvents", "evaluation"),
  byApplication("injection_lfi", "injectionEvents", "lfi"),
  byApplication("injection_nosql", "injectionEvents", "nosql_injection"),
  byApplication("injection_sql", "injectionEvents", "sql_injection"),
  byApplication("injection_shell", "injectionEvents", "shell_injection"),
  byApplication("injection_shellshock", "injectionEvents", "shellshock"),
  byApplication("injection_xss", "injectionEvents", "xss"),
  byApplication("http_scan", "scanEvents", "scan", "bot_scanning", "not_found"),
  byApplication("account_enumeration", "enumerationEvents", "auth_scan"),
  byApplication(
    "account_enumeration_real_accounts",
    "enumerationEvents",
    "auth_scan_real_accounts",
  ),
  byApplication("account_enumeration_success", 1, "auth_scan_success"),
  byAccount("account_takeover", "takeoverEvents", "auth_bruteforce"),
  byAccount("account_takeover_success", 1, "auth_bruteforce_success"),
];

/** The rule that an event counts for; no kind counts for two. */
export function ruleOf(kind: string): GenreRule | undefined {
  return GENRE_RULES.find(({ kinds }) => kinds.includes(kind));
}

/** Whether so many events within the window begin an incident. */
export function begins(rule: GenreRule, events: number, thresholds: IncidentThresholds): boolean {
  return events >= (rule.least === 1 ? 1 : thresholds[rule.least]);
}

/** Whether the score of an account crosses the threshold upwards. */
export function crossesScore(
  before: number,
  after: number,
  { accountScoreAbove }: IncidentThresholds,
): boolean {
  return before <= accountScoreAbove && after > accountScoreAbove;
}

function byApplication(
  genre: IncidentGenre,
  least: GenreRule["least"],
  ...kinds: readonly EventKind[]
): GenreRule {
  return { genre, kinds, about: "application", least };
}

function byAccount(
  genre: IncidentGenre,
  least: GenreRule["least"],
  ...kinds: readonly EventKind[]
): GenreRule {
  return { genre, kinds, about: "account", least };
}
