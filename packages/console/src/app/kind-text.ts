import type { EventKind } from "@riskgate/core/payloads";

/** Names of the kinds of events. */
const KIND_TEXTS: Readonly<Record<EventKind, string>> = {
  auth_scan: "Login scan",
  auth_scan_real_accounts: "Login scan of known accounts",
  auth_scan_success: "Login scan, succeeded",
  auth_bruteforce: "Account brute force",
  auth_bruteforce_success: "Account brute force, succeeded",
  auth_new_location: "Login from a new location",
  auth_tor_tentative: "Login attempt through Tor",
  auth_multi_locations: "Logins too far apart to travel",
  nosql_injection: "NoSQL injection",
  shell_injection: "Shell injection",
  shellshock: "Shellshock",
  sql_injection: "SQL injection",
  xss: "Cross-site scripting",
  evaluation: "Code injection",
  lfi: "File inclusion",
  package_vulnerable: "Vulnerable package",
  bot_scanning: "Scan by a bot",
  not_found: "Requests for missing pages",
  scan: "Security scan",
};

/** The kinds of events in the groups of the editor. */
export const KIND_GROUPS: readonly (readonly [title: string, kinds: readonly EventKind[]])[] = [
  ["Login", kindsWhere((kind) => kind.startsWith("auth_"))],
  [
    "Injection",
    [
      "sql_injection",
      "nosql_injection",
      "shell_injection",
      "shellshock",
      "evaluation",
      "lfi",
      "xss",
    ],
  ],
  ["Scanning", ["scan", "bot_scanning", "not_found"]],
  ["Dependencies", ["package_vulnerable"]],
];

function kindsWhere(holds: (kind: EventKind) => boolean): readonly EventKind[] {
  return (Object.keys(KIND_TEXTS) as EventKind[]).filter(holds);
}

/** The name of a kind; one that a later version adds has none, and is shown as it is. */
export function kindText(kind: string): string {
  return Object.hasOwn(KIND_TEXTS, kind) ? KIND_TEXTS[kind as EventKind] : kind;
}
