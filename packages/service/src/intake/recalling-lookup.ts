import type { RiskLookup } from "@riskgate/core";
import { foldEmail, normalizeIp } from "@riskgate/core/address";
import type { LedgerStore } from "../storage/event-store.js";
import type { Subject } from "../model/subject.js";
import { createCircuitBreaker } from "../storage/circuit-breaker.js";
import type { LedgerMemory } from "./ledger-memory.js";

/** What the lookups need to recall. */
export interface RecallParts {
  readonly lookup: RiskLookup;
  readonly ledger: LedgerMemory;
  readonly store: Pick<LedgerStore, "entriesOf">;
  /** Monotonic clock in milliseconds; default `performance.now`. */
  readonly nowMs?: () => number;
}

/** Newest events of a subject that are recalled: more do not change what it is known for. */
const MAX_RECALLED = 100;

/**
 * Lookups that know whom the ledger in memory has forgotten because too many came after: before one
 * of them is answered, its newest events are read from the database. While that does not answer,
 * lookups go on from memory.
 */
export function createRecallingLookup(parts: RecallParts): RiskLookup {
  const { lookup, ledger, store } = parts;
  const breaker = createCircuitBreaker({ nowMs: parts.nowMs });

  const read = async (subject: Subject): Promise<void> => {
    const entries = await store.entriesOf(subject, MAX_RECALLED);
    // Meanwhile another lookup may have recalled it.
    if (ledger.mayHaveForgotten(subject)) ledger.add(entries.toReversed());
  };
  const recall = async (subject: Subject | undefined): Promise<void> => {
    if (subject && !isAtHand(subject)) await breaker.ask(() => read(subject)).catch(() => {});
  };
  const isAtHand = (subject: Subject | undefined): boolean =>
    !subject || breaker.isOpen() || !ledger.mayHaveForgotten(subject);

  return {
    peekIp: (ip) => (isAtHand(addressOf(ip)) ? lookup.peekIp?.(ip) : undefined),
    peekEmail: (email) => (isAtHand(accountOf(email)) ? lookup.peekEmail?.(email) : undefined),
    async lookupIp(ip, options) {
      await recall(addressOf(ip));
      return lookup.lookupIp(ip, options);
    },
    async lookupEmail(email, options) {
      await recall(accountOf(email));
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
