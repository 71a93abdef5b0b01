import {
  createMemoryLedger,
  type Ledger,
  type LedgerEvent,
  type MemoryLedger,
  type MemoryLedgerOptions,
} from "@riskgate/engine";
import { epochMsOf } from "../model/instant.js";
import type { LedgerEntry, Subject } from "../model/subject.js";

/** The in-memory ledger used by lookups, in sync with the stored one. */
export interface LedgerMemory extends Ledger, Pick<MemoryLedger, "size"> {
  add(entries: readonly LedgerEntry[]): void;
  /** Replaces all entries with stored ones; until this has finished, lookups use the previous entries. */
  replace(entries: AsyncIterable<LedgerEntry>): Promise<void>;
  forget(subject: Subject): void;
  /** Returns true if every new subject evicts another one. */
  isFull(type: "ip" | "account"): boolean;
  /** Returns true if the ledger is full and contains nothing about the subject. */
  mayHaveForgotten(subject: Subject): boolean;
}

/** Entries added without a pause: few enough to let other work run in between. */
const CHUNK = 5_000;

export function createLedgerMemory(options: MemoryLedgerOptions): LedgerMemory {
  const { maxEntries = 100_000 } = options;
  let ledger = createMemoryLedger(options);
  const isFull = (type: "ip" | "account"): boolean => {
    const { ips, emails } = ledger.size();
    return (type === "account" ? emails : ips) >= maxEntries;
  };
  return {
    isFull,
    record: (event) => ledger.record(event),
    ipHistory: (ip) => ledger.ipHistory(ip),
    emailHistory: (email) => ledger.emailHistory(email),
    size: () => ledger.size(),
    mayHaveForgotten({ type, subject }) {
      if (type === "account") return isFull(type) && !ledger.emailHistory(subject);
      return type === "ip" && isFull(type) && !ledger.ipHistory(subject);
    },
    add: (entries) => void ledger.replay(entries.filter(({ isNotice }) => !isNotice).map(eventOf)),
    async replace(entries) {
      const next = createMemoryLedger(options);
      await fill(next, entries);
      ledger = next;
    },
    forget({ type, subject }) {
      // The in-memory ledger has no separate entries for networks.
      if (type === "account") ledger.erase({ email: subject });
      else if (type === "ip") ledger.erase({ ip: subject });
    },
  };
}

async function fill(ledger: MemoryLedger, entries: AsyncIterable<LedgerEntry>): Promise<void> {
  let chunk: LedgerEvent[] = [];
  for await (const entry of entries) {
    if (!entry.isNotice) chunk.push(eventOf(entry));
    if (chunk.length < CHUNK) continue;
    ledger.replay(chunk);
    chunk = [];
  }
  ledger.replay(chunk);
}

function eventOf({ type, subject, highRisk, occurredAt }: LedgerEntry): LedgerEvent {
  const about = type === "account" ? { email: subject } : { ip: subject };
  return { ...about, highRisk, occurredAtMs: epochMsOf(occurredAt) };
}
