import type { EventKind } from "@riskgate/core/payloads";

/** What follows from the kind of a security event. */
export interface KindFacts {
  readonly category: string;
  /** It counts as an attack for the addresses that it came from. */
  readonly isHighRisk: boolean;
  /**
   * It counts as an attack for the account too. The account of most authentication events is the
   * victim: if it counted as an attacker, an attacker could lock out users by guessing their passwords.
   */
  readonly isAccountActing: boolean;
  /** Sentence about it, with `{account}`, `{address}` and, for either of address and application, `{source}`. */
  readonly description: string;
}

/**
 * Every kind of security event. The categories outside authentication, and what is of high risk, are
 * choices of ours: `docs/detection.md` gives the reasons.
 */
export const EVENT_KIND_FACTS: Readonly<Record<EventKind, KindFacts>> = {
  auth_scan_real_accounts: victim(true, "Login attempts on several real accounts from {address}"),
  auth_scan_success: taken("Login to {account} from {address} during an account scan"),
  auth_bruteforce: victim(true, "Account takeover attempt on {account} from {address}"),
  auth_bruteforce_success: taken("Successful account takeover of {account} from {address}"),
  auth_new_location: victim(false, "Connection to {account} from a new location, {address}"),
  auth_tor_tentative: victim(false, "Connection attempt to {account} from Tor, {address}"),
  auth_multi_locations: victim(
    false,
    "Simultaneous connections to {account} from several locations, the last one {address}",
  ),
  nosql_injection: attack("NoSQL injection attempt from {address}"),
  shell_injection: attack("Shell injection attempt from {address}"),
  shellshock: attack("Shellshock attempt from {address}"),
  sql_injection: attack("SQL injection attempt from {address}"),
  xss: attack("XSS attempt from {address}"),
  evaluation: attack("Code evaluation attempt from {address}"),
  lfi: attack("File inclusion attempt from {address}"),
  package_vulnerable: {
    category: "package",
    isHighRisk: false,
    isAccountActing: false,
    description: "Vulnerable package detected in {source}",
  },
  bot_scanning: scanner("Bot scanning from {address}"),
  not_found: scanner("Application fingerprinting from {address}"),
  scan: scanner("Vulnerability scan from {address}"),
  auth_scan: victim(false, "Account scan from {address}"),
};

/** A kind that the specification does not name: reported and delivered, and nothing follows from it. */
const OTHER: KindFacts = {
  category: "unknown",
  isHighRisk: false,
  isAccountActing: false,
  description: "Security event from {source}",
};

/** What follows from a kind, known or not. */
export function factsOfKind(kind: string): KindFacts {
  return isKnownKind(kind) ? EVENT_KIND_FACTS[kind] : OTHER;
}

/** Whether the specification names a kind. */
export function isKnownKind(kind: string): kind is EventKind {
  return Object.hasOwn(EVENT_KIND_FACTS, kind);
}

/** Sentence about an event of a kind. */
export function describeEvent(
  kind: string,
  account: string | undefined,
  address: string | undefined,
  application: string,
): string {
  return factsOfKind(kind)
    .description.replace("{account}", () => account ?? "an unknown account")
    .replace("{address}", () => address ?? "an unknown address")
    .replace("{source}", () => address ?? application);
}

function attack(description: string): KindFacts {
  return { category: "injection", isHighRisk: true, isAccountActing: true, description };
}

function scanner(description: string): KindFacts {
  return { category: "http_error", isHighRisk: false, isAccountActing: false, description };
}

function victim(isHighRisk: boolean, description: string): KindFacts {
  return { category: "authentication", isHighRisk, isAccountActing: false, description };
}

/** From now on the attacker acts through the account. */
function taken(description: string): KindFacts {
  return { category: "authentication", isHighRisk: true, isAccountActing: true, description };
}
