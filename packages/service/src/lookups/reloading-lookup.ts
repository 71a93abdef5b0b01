import type { RiskLookup } from "@riskgate/core";
import { foldEmail, normalizeIp } from "@riskgate/core/address";
import type { LedgerEntry, Subject } from "../model/subject.js";
import { createCircuitBreaker } from "../storage/circuit-breaker.js";
import type { LedgerStore } from "../storage/event-store.js";

export interface ReloadParts {
  readonly lookup: RiskLookup;
  readonly ledger: LimitedLedger;
  readonly store: Pick<LedgerStore, "entriesOf">;
  /** Monotonic clock in milliseconds; default `performance.now`. */
  readonly nowMs?: () => number;
}

/** An in-memory ledger that evicts subjects when it is full. */
export interface LimitedLedger {
  isFull(type: "ip" | "account"): boolean;
  /** Returns true if the ledger is full and contains nothing about the subject. */
  mayHaveForgotten(subject: Subject): boolean;
  add(entries: readonly LedgerEntry[]): void;
}

/** Maximum number of a subject's newest events to read: more do not affect its history. */
const MAX_RELOADED = 100;

/**
 * Creates a lookup that reloads evicted subjects: if the in-memory ledger may have forgotten a
 * subject, its newest events are read from the database first. While the database does not respond,
 * lookups use only the in-memory ledger.
 */
export function createReloadingLookup(parts: ReloadParts): RiskLookup {
  const { lookup, ledger, store } = parts;
  const breaker = createCircuitBreaker(undefined, parts.nowMs);

  const forgotten = (subject: Subject | undefined): Subject | undefined =>
    subject && !breaker.isOpen && ledger.mayHaveForgotten(subject) ? subject : undefined;
  // A ledger that is not full has forgotten nothing, so the subject need not be parsed.
  const forgottenIp = (ip: string): Subject | undefined =>
    ledger.isFull("ip") ? forgotten(addressOf(ip)) : undefined;
  const forgottenAccount = (email: string): Subject | undefined =>
    ledger.isFull("account") ? forgotten(accountOf(email)) : undefined;

  const read = async (subject: Subject): Promise<void> => {
    const entries = await store.entriesOf(subject, MAX_RELOADED);
    // Another lookup may have reloaded the subject in the meantime.
    if (ledger.mayHaveForgotten(subject)) ledger.add(entries.toReversed());
  };
  const reload = async (subject: Subject | undefined): Promise<void> => {
    if (subject) await breaker.run(() => read(subject)).catch(() => {});
  };

  return {
    peekIp: (ip) => (forgottenIp(ip) ? undefined : lookup.peekIp?.(ip)),
    peekEmail: (email) => (forgottenAccount(email) ? undefined : lookup.peekEmail?.(email)),
    async lookupIp(ip, options) {
      await reload(forgottenIp(ip));
      return lookup.lookupIp(ip, options);
    },
    async lookupEmail(email, options) {
      await reload(forgottenAccount(email));
      return lookup.lookupEmail(email, options);
    },
  };
}

function addressOf(ip: string): Subject | undefined {
  const subject = normalizeIp(ip);
  return subject === undefined ? undefined : { type: "ip", subject };
}

function accountOf(email: string): Subject {
  return { type: "account", subject: foldEmail(email) };
}
