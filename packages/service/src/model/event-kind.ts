import type { EventKind } from "@riskgate/core/payloads";

export interface KindFacts {
  readonly category: string;
  /** True if the event counts as an attack by the addresses that it came from. */
  readonly isHighRisk: boolean;
  /** Whether it counts towards its addresses; travel or Tor says nothing about an address. */
  readonly countsForAddress: boolean;
  /**
   * True if the event also counts as an attack by the account. In most authentication events the
   * account is the victim: if it counted as an attacker, guessing passwords could lock users out.
   */
  readonly isAccountActing: boolean;
  /** Sentence with the placeholders `{account}`, `{address}`, and `{source}` for address or application. */
  readonly description: string;
}

/**
 * Every kind of security event. The specification defines neither the categories outside
 * authentication nor which kinds are high-risk: `docs/detection.md` gives the reasons for our choices.
 */
export const EVENT_KIND_FACTS: Readonly<Record<EventKind, KindFacts>> = {
  auth_scan_real_accounts: victim(true, "Login attempts on several real accounts from {address}"),
  auth_scan_success: taken("Login to {account} from {address} during an account scan"),
  auth_bruteforce: victim(true, "Account takeover attempt on {account} from {address}"),
  auth_bruteforce_success: taken("Successful account takeover of {account} from {address}"),
  auth_new_location: notice("Connection to {account} from a new location, {address}"),
  auth_tor_tentative: notice("Connection attempt to {account} from Tor, {address}"),
  auth_multi_locations: notice(
    "Connections to {account} from locations too far apart to travel, the last one {address}",
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
    countsForAddress: true,
    isAccountActing: false,
    description: "Vulnerable package detected in {source}",
  },
  bot_scanning: scanner("Bot scanning from {address}"),
  not_found: scanner("Application fingerprinting from {address}"),
  scan: scanner("Vulnerability scan from {address}"),
  auth_scan: victim(false, "Account scan from {address}"),
};

/** Kinds that the specification does not name: they are stored and delivered, but trigger nothing. */
const OTHER: KindFacts = {
  category: "unknown",
  isHighRisk: false,
  countsForAddress: true,
  isAccountActing: false,
  description: "Security event from {source}",
};

export function factsOfKind(kind: string): KindFacts {
  return isKnownKind(kind) ? EVENT_KIND_FACTS[kind] : OTHER;
}

export function isKnownKind(kind: string): kind is EventKind {
  return Object.hasOwn(EVENT_KIND_FACTS, kind);
}

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
  return factsOf("injection", { isHighRisk: true, isAccountActing: true, description });
}

function scanner(description: string): KindFacts {
  return factsOf("http_error", { isHighRisk: false, isAccountActing: false, description });
}

function victim(isHighRisk: boolean, description: string): KindFacts {
  return factsOf("authentication", { isHighRisk, isAccountActing: false, description });
}

/** Concerns the account; the address may be shared by many people who do the same. */
function notice(description: string): KindFacts {
  return { ...victim(false, description), countsForAddress: false };
}

/** Returns the properties of a kind after which the attacker controls the account. */
function taken(description: string): KindFacts {
  return factsOf("authentication", { isHighRisk: true, isAccountActing: true, description });
}

function factsOf(
  category: string,
  facts: Omit<KindFacts, "category" | "countsForAddress">,
): KindFacts {
  return { category, countsForAddress: true, ...facts };
}
