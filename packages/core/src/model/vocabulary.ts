/** An open union of literals: editors complete known words, and later words are accepted. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

/** Values of `service_payload_type`. Source: specification, Events, Payload types. */
export const PAYLOAD_TYPES = ["security_event", "pulse", "security_response", "test"] as const;
export type PayloadType = (typeof PAYLOAD_TYPES)[number];

const types: ReadonlySet<string> = new Set(PAYLOAD_TYPES);
export function isPayloadType(text: string): text is PayloadType {
  return types.has(text);
}

/** Values of `event_category`. Source: specification, Events, Security event categories. */
export const EVENT_CATEGORIES = ["authentication", "injection", "http_error", "package"] as const;
export type EventCategory = (typeof EVENT_CATEGORIES)[number];

const categories: ReadonlySet<unknown> = new Set(EVENT_CATEGORIES);
export function isEventCategory(value: unknown): value is EventCategory {
  return categories.has(value);
}

/**
 * Values of `event_kind`, the authentication kinds first. Source: specification, Events,
 * Authentication kinds and Further event kinds.
 */
export const EVENT_KINDS = [
  "auth_scan_real_accounts",
  "auth_scan_success",
  "auth_bruteforce",
  "auth_bruteforce_success",
  "auth_new_location",
  "auth_tor_tentative",
  "auth_multi_locations",
  "nosql_injection",
  "shell_injection",
  "shellshock",
  "sql_injection",
  "xss",
  "evaluation",
  "lfi",
  "package_vulnerable",
  "bot_scanning",
  "not_found",
  "scan",
  "auth_scan",
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

const kinds: ReadonlySet<unknown> = new Set(EVENT_KINDS);
export function isEventKind(value: unknown): value is EventKind {
  return kinds.has(value);
}

/**
 * Values of `pulse_genre` with their titles. The placeholders are the `{account}` and `{threshold}`
 * of the incident, and `{blocked}` if the activity was blocked. Source: specification, Events,
 * Incident genres.
 */
export const INCIDENT_GENRES = {
  vulnerable_packages: "Vulnerabilities detected in dependencies",
  injection_eval: "Code evaluation injection detected",
  http_4xx_peak: "Important rise in HTTP 4xx error codes",
  http_5xx_peak: "Important rise in HTTP 5xx error codes",
  injection_lfi: "File inclusion attack detected",
  injection_nosql: "NoSQL injection detected",
  injection_sql: "SQL injection detected",
  injection_shell: "Shell injection detected",
  injection_shellshock: "Shellshock attack detected",
  injection_xss: "XSS injection detected",
  http_scan: "Massive security scan {blocked}",
  failed_auth_peak: "Important rise of failed authentications",
  account_enumeration: "Increase in login brute force attempts, no verified users targeted",
  user_risk_increased: "The risk score of {account} exceeded {threshold}%",
  account_takeover_success: "Successful account takeover attempt on user account {account}",
  account_enumeration_success: "A login brute force attack compromised user accounts",
  account_takeover: "Massive account takeover attempts on user account {account}",
  account_enumeration_real_accounts: "Increase in login brute force attempts targeting users",
} as const;
export type IncidentGenre = keyof typeof INCIDENT_GENRES;

/** Keys of {@link INCIDENT_GENRES}; `Object.keys` would add its titles to bundles for Workers. */
const GENRES =
  "vulnerable_packages injection_eval http_4xx_peak http_5xx_peak injection_lfi injection_nosql " +
  "injection_sql injection_shell injection_shellshock injection_xss http_scan failed_auth_peak " +
  "account_enumeration user_risk_increased account_takeover_success account_enumeration_success " +
  "account_takeover account_enumeration_real_accounts";

const words: ReadonlySet<unknown> = new Set([...EVENT_CATEGORIES, ...EVENT_KINDS]);

/** Returns true for an event category or kind that is spelled exactly. */
export function isKnownWord(value: unknown): boolean {
  return words.has(value);
}

const BLANKS = /[\s\u200b]+/g;

const wordBySpelling: ReadonlyMap<string, string> = new Map(
  [...PAYLOAD_TYPES, ...EVENT_CATEGORIES, ...EVENT_KINDS, ...GENRES.split(" ")].map((word) => [
    word.replaceAll("_", ""),
    word,
  ]),
);

/**
 * Removes whitespace, which some senders add or write for `_`: `auth_bruteforce success` becomes
 * `auth_bruteforce_success`.
 */
export function withoutBlanks(text: string): string {
  const word = text.replace(BLANKS, "");
  return word === text ? text : (wordBySpelling.get(word.replaceAll("_", "")) ?? word);
}
