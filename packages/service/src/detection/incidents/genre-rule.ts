import type { EventKind, IncidentGenre } from "@riskgate/core/payloads";
import type { IncidentThresholds } from "./incident-settings.js";

export interface GenreRule {
  readonly genre: IncidentGenre;
  readonly kinds: readonly string[];
  /** Events with the same subject belong to one incident. */
  readonly about: "application" | "account";
  /** Minimum number of events within the window to open an incident: a threshold, or 1. */
  readonly least: keyof IncidentThresholds | 1;
}

/** The rules for events; the other genres come from counter peaks and account scores. */
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

/** Returns the rule for a kind of event; no kind has more than one. */
export function ruleOf(kind: string): GenreRule | undefined {
  return GENRE_RULES.find(({ kinds }) => kinds.includes(kind));
}

export function begins(rule: GenreRule, events: number, thresholds: IncidentThresholds): boolean {
  return events >= (rule.least === 1 ? 1 : thresholds[rule.least]);
}

/** Returns true if an account's score rises above the threshold. */
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
