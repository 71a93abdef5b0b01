import type { EventKind } from "@riskgate/core/payloads";

export interface KindRisk {
  /** Towards the address that it came from. */
  readonly address: boolean;
  /** Whether it counts towards the address at all. */
  readonly countsForAddress: boolean;
  /** Towards the account: only if the account attacks and is not the victim. */
  readonly account: boolean;
}

const ATTACKS: ReadonlySet<EventKind> = new Set<EventKind>([
  "nosql_injection",
  "shell_injection",
  "shellshock",
  "sql_injection",
  "xss",
  "evaluation",
  "lfi",
  "auth_scan_success",
  "auth_bruteforce_success",
]);

/** Attacks whose account is the victim. */
const ATTACKS_ON_ACCOUNTS: ReadonlySet<EventKind> = new Set<EventKind>([
  "auth_scan_real_accounts",
  "auth_bruteforce",
]);

/** Notices about an account: many people who share an address travel or use Tor. */
const NOTICES: ReadonlySet<EventKind> = new Set<EventKind>([
  "auth_new_location",
  "auth_tor_tentative",
  "auth_multi_locations",
]);

/**
 * Returns the subjects towards which a kind counts as an attack, as in the service;
 * `docs/detection.md` gives the reasons.
 */
export function riskOfKind(kind: EventKind): KindRisk {
  const account = ATTACKS.has(kind);
  return {
    address: account || ATTACKS_ON_ACCOUNTS.has(kind),
    countsForAddress: !NOTICES.has(kind),
    account,
  };
}
