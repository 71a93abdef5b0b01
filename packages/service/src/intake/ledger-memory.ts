import {
  createMemoryLedger,
  type History,
  type LedgerEvent,
  type MemoryLedger,
  type MemoryLedgerOptions,
} from "@riskgate/engine";
import { epochMsOf } from "../model/instant.js";
import type { LedgerPart, LedgerReader, LedgerView } from "../model/ledger-view.js";
import type { LedgerEntry, LedgerScope, Subject } from "../model/subject.js";

/**
 * The in-memory ledger used by lookups, in sync with the stored one. It has one part for the reports
 * that count for all applications, and one part for each application that shares nothing, each with
 * its own limit: reports of one application can neither change nor evict what others look up.
 *
 * As a ledger it reads the reports of all applications; lookups of an application read `viewOf`.
 */
export interface LedgerMemory extends LedgerReader, Pick<MemoryLedger, "size"> {
  add(entries: readonly LedgerEntry[]): void;
  /** Replaces all entries with stored ones; until this has finished, lookups use the previous entries. */
  replace(entries: AsyncIterable<LedgerEntry>): Promise<void>;
  forget(subject: Subject): void;
  /** Returns the ledger as an application reads it: its own reports, and those that others share. */
  viewOf(applicationId: string): LedgerView;
}

/** Entries added without a pause: few enough to let other work run in between. */
const CHUNK = 5_000;

interface Parts {
  readonly shared: MemoryLedger;
  readonly own: Map<string, MemoryLedger>;
}

export function createLedgerMemory(options: MemoryLedgerOptions): LedgerMemory {
  const { maxEntries = 100_000 } = options;
  const emptyParts = (): Parts => ({ shared: createMemoryLedger(options), own: new Map() });
  let parts = emptyParts();
  const all = (): readonly MemoryLedger[] => [parts.shared, ...parts.own.values()];

  const addTo = ({ shared, own }: Parts, entries: readonly LedgerEntry[]): void => {
    for (const entry of entries) {
      if (entry.isNotice) continue;
      const { applicationId, isShared = false } = entry;
      let ledger = isShared ? shared : own.get(applicationId);
      if (!ledger) own.set(applicationId, (ledger = createMemoryLedger(options)));
      ledger.record(eventOf(entry));
    }
  };
  const isFull = (ledger: MemoryLedger | undefined, type: "ip" | "account"): boolean => {
    if (!ledger) return false;
    const { ips, emails } = ledger.size();
    return (type === "account" ? emails : ips) >= maxEntries;
  };
  const partOf = (ledger: MemoryLedger, scope: LedgerScope): LedgerPart => ({
    scope,
    isMissing({ type, subject }) {
      if (type === "account") return isFull(ledger, type) && !ledger.emailHistory(subject);
      return type === "ip" && isFull(ledger, type) && !ledger.ipHistory(subject);
    },
    add: (entries) => void ledger.replay(entries.filter(({ isNotice }) => !isNotice).map(eventOf)),
  });

  return {
    ipHistory: (ip) =>
      all()
        .map((one) => one.ipHistory(ip))
        .reduce(merge),
    emailHistory: (email) =>
      all()
        .map((one) => one.emailHistory(email))
        .reduce(merge),
    size() {
      const sizes = all().map((one) => one.size());
      const sum = (type: "ips" | "emails") => sizes.reduce((total, one) => total + one[type], 0);
      return { ips: sum("ips"), emails: sum("emails") };
    },
    add: (entries) => addTo(parts, entries),
    async replace(entries) {
      const next = emptyParts();
      let chunk: LedgerEntry[] = [];
      for await (const entry of entries) {
        chunk.push(entry);
        if (chunk.length < CHUNK) continue;
        addTo(next, chunk);
        chunk = [];
      }
      addTo(next, chunk);
      parts = next;
    },
    forget({ type, subject }) {
      // The in-memory ledger has no separate entries for networks.
      if (type === "net") return;
      for (const one of all()) one.erase(type === "account" ? { email: subject } : { ip: subject });
    },
    viewOf: (applicationId) => ({
      ipHistory: (ip) =>
        merge(parts.shared.ipHistory(ip), parts.own.get(applicationId)?.ipHistory(ip)),
      emailHistory: (email) =>
        merge(parts.shared.emailHistory(email), parts.own.get(applicationId)?.emailHistory(email)),
      isFull: (type) => isFull(parts.shared, type) || isFull(parts.own.get(applicationId), type),
      mayHaveForgotten(subject) {
        const own = parts.own.get(applicationId);
        return [
          partOf(parts.shared, { isShared: true }),
          ...(own ? [partOf(own, { applicationId })] : []),
        ].filter((part) => part.isMissing(subject));
      },
    }),
  };
}

/** Adds the events of two parts up. */
function merge(one: History | undefined, other: History | undefined): History | undefined {
  if (!one || !other) return one ?? other;
  return {
    is_known_attacker: one.is_known_attacker || other.is_known_attacker,
    security_events_count: one.security_events_count + other.security_events_count,
    high_risk_security_events_count:
      one.high_risk_security_events_count + other.high_risk_security_events_count,
    weight: one.weight! + other.weight!,
    lastEventAtMs: Math.max(one.lastEventAtMs!, other.lastEventAtMs!),
  };
}

function eventOf({ type, subject, highRisk, occurredAt }: LedgerEntry): LedgerEvent {
  const about = type === "account" ? { email: subject } : { ip: subject };
  return { ...about, highRisk, occurredAtMs: epochMsOf(occurredAt) };
}
