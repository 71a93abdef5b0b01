import type { RiskLookup } from "@riskgate/core";
import { foldEmail, normalizeIp } from "@riskgate/core/address";
import type { LedgerView } from "../model/ledger-view.js";
import type { Subject } from "../model/subject.js";
import type { createCircuitBreaker } from "../storage/circuit-breaker.js";
import type { LedgerStore } from "../storage/event-store.js";

export interface ReloadParts {
  readonly lookup: RiskLookup;
  readonly ledger: Pick<LedgerView, "isFull" | "mayHaveForgotten">;
  readonly store: Pick<LedgerStore, "entriesOf">;
  /** Circuit breaker of the database, shared by all applications. */
  readonly breaker: ReturnType<typeof createCircuitBreaker>;
}

/** Maximum number of a subject's newest events to read: more do not affect its history. */
const MAX_RELOADED = 100;

/**
 * Creates a lookup that reloads evicted subjects: if the in-memory ledger may have forgotten a
 * subject, its newest events are read from the database first. While the database does not respond,
 * lookups use only the in-memory ledger.
 */
export function createReloadingLookup(parts: ReloadParts): RiskLookup {
  const { lookup, ledger, store, breaker } = parts;
  const isForgotten = (subject: Subject | undefined): boolean =>
    subject !== undefined && !breaker.isOpen && ledger.mayHaveForgotten(subject).length > 0;
  const read = async (subject: Subject): Promise<void> => {
    for (const part of ledger.mayHaveForgotten(subject)) {
      const entries = await store.entriesOf(subject, MAX_RELOADED, part.scope);
      // Another lookup may have reloaded the subject in the meantime.
      if (part.isMissing(subject)) part.add(entries.toReversed());
    }
  };
  const reload = async (subject: Subject | undefined): Promise<void> => {
    if (subject && isForgotten(subject)) await breaker.run(() => read(subject)).catch(() => {});
  };

  // A ledger that is not full has forgotten nothing, so the subject need not be parsed.
  return {
    peekIp: (ip) =>
      ledger.isFull("ip") && isForgotten(addressOf(ip)) ? undefined : lookup.peekIp?.(ip),
    peekEmail: (email) =>
      ledger.isFull("account") && isForgotten(accountOf(email))
        ? undefined
        : lookup.peekEmail?.(email),
    async lookupIp(ip, options) {
      if (ledger.isFull("ip")) await reload(addressOf(ip));
      return lookup.lookupIp(ip, options);
    },
    async lookupEmail(email, options) {
      if (ledger.isFull("account")) await reload(accountOf(email));
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
