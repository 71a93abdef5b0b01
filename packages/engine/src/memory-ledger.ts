import { foldEmail, normalizeIp, RiskGateError } from "@riskgate/core";
import type { History, Ledger } from "./ledger.js";

/** Options of {@link createMemoryLedger}. */
export interface MemoryLedgerOptions {
  /** Most addresses, and most accounts, that are remembered; default 100,000 of each. */
  readonly maxEntries?: number;
}

/**
 * Create a ledger that lives in memory and forgets with the process.
 *
 * An address or account counts as a known attacker from its first event of high risk. When the
 * ledger is full, what has been quiet for longest is forgotten.
 *
 * @throws {RiskGateError} CONFIG_INVALID when `maxEntries` is not a whole number above 0.
 */
export function createMemoryLedger({ maxEntries = 100_000 }: MemoryLedgerOptions = {}): Ledger {
  if (!Number.isSafeInteger(maxEntries) || maxEntries < 1) {
    const message = `\`maxEntries\` must be a whole number above 0, given ${String(maxEntries)}`;
    throw new RiskGateError("CONFIG_INVALID", message);
  }
  const ips = new Map<string, History>();
  const emails = new Map<string, History>();

  const count = (histories: Map<string, History>, key: string, highRisk: boolean): void => {
    const before = histories.get(key);
    // Removed and set again, the entry moves to the young end of the map.
    histories.delete(key);
    histories.set(key, {
      is_known_attacker: highRisk || (before?.is_known_attacker ?? false),
      security_events_count: (before?.security_events_count ?? 0) + 1,
      high_risk_security_events_count:
        (before?.high_risk_security_events_count ?? 0) + Number(highRisk),
    });
    if (histories.size > maxEntries) histories.delete(histories.keys().next().value!);
  };

  return {
    record({ ip, email, highRisk = false }) {
      const address = ip === undefined ? undefined : normalizeIp(ip);
      if (ip !== undefined && address === undefined) {
        throw new RiskGateError("INVALID_ARGUMENT", "expected an IP address in `ip` of the event");
      }
      if (address !== undefined) count(ips, address, highRisk);
      if (email !== undefined) count(emails, foldEmail(email), highRisk);
    },
    ipHistory: (ip) => ips.get(ip),
    emailHistory: (email) => emails.get(email),
  };
}
