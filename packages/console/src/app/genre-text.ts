import type { IncidentGenre } from "@riskgate/api-types";

export type Severity = "critical" | "high" | "medium" | "low";

interface GenreText {
  readonly name: string;
  readonly severity: Severity;
}

export const SEVERITIES: readonly Severity[] = ["critical", "high", "medium", "low"];

/**
 * Name and severity of each genre of incident: `critical` if accounts
 * are in other hands, `high` if an attack aims at accounts or at code, `medium` for attempts that
 * have found nothing yet, and `low` for anything that can wait until tomorrow.
 */
export const GENRE_TEXTS: Readonly<Record<IncidentGenre, GenreText>> = {
  account_takeover_success: { name: "Account taken over", severity: "critical" },
  account_enumeration_success: { name: "Accounts compromised", severity: "critical" },
  account_takeover: { name: "Account takeover attempt", severity: "high" },
  account_enumeration_real_accounts: { name: "Login scan of known accounts", severity: "high" },
  user_risk_increased: { name: "Account at risk", severity: "high" },
  injection_sql: { name: "SQL injection", severity: "high" },
  injection_nosql: { name: "NoSQL injection", severity: "high" },
  injection_shell: { name: "Shell injection", severity: "high" },
  injection_shellshock: { name: "Shellshock", severity: "high" },
  injection_eval: { name: "Code injection", severity: "high" },
  injection_lfi: { name: "File inclusion", severity: "high" },
  injection_xss: { name: "Cross-site scripting", severity: "medium" },
  account_enumeration: { name: "Login scan", severity: "medium" },
  failed_auth_peak: { name: "Rise of failed logins", severity: "medium" },
  http_scan: { name: "Security scan", severity: "medium" },
  http_5xx_peak: { name: "Rise of server errors", severity: "medium" },
  http_4xx_peak: { name: "Rise of client errors", severity: "low" },
  vulnerable_packages: { name: "Vulnerable packages", severity: "low" },
};

/** The genres of incidents in the groups of the editor. */
export const GENRE_GROUPS: readonly (readonly [title: string, genres: readonly IncidentGenre[]])[] =
  [
    ["Accounts", genresLike(/^(?:account_|user_|failed_auth)/)],
    ["Injection", genresLike(/^injection_/)],
    ["Traffic", genresLike(/^http_/)],
    ["Dependencies", ["vulnerable_packages"]],
  ];

function genresLike(pattern: RegExp): readonly IncidentGenre[] {
  return (Object.keys(GENRE_TEXTS) as IncidentGenre[]).filter((genre) => pattern.test(genre));
}

/** The name of a genre; one that a later version adds has none, and is shown as it is. */
export function genreText(genre: string): string {
  return Object.hasOwn(GENRE_TEXTS, genre) ? GENRE_TEXTS[genre as IncidentGenre].name : genre;
}
