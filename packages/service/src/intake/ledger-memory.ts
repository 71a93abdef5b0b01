import {
  createMemoryLedger,
  type Ledger,
  type LedgerEvent,
  type MemoryLedger,
  type MemoryLedgerOptions,
} from "@riskgate/engine";
import { epochMsOf } from "../model/instant.js";
import type { LedgerEntry, Subject } from "../model/subject.js";

/** The ledger that lookups read, in step with the stored one. */
export interface LedgerMemory extends Ledger, Pick<MemoryLedger, "size"> {
  /** Makes stored entries count. */
  add(entries: readonly LedgerEntry[]): void;
  /** Replaces everything by stored entries; lookups read what was there before until then. */
  replace(entries: AsyncIterable<LedgerEntry>): Promise<void>;
  forget(subject: Subject): void;
  /** Returns true if every new subject replaces another. */
  isFull(type: "ip" | "account"): boolean;
  /** Returns true if it is full and holds nothing about the subject. */
  mayHaveForgotten(subject: Subject): boolean;
}

/** Entries that are added at once: few enough to let other work run in between. */
const CHUNK = 5_000;

/** Creates an empty ledger. */
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
    add: (entries) => void ledger.replay(entries.map(eventOf)),
    async replace(entries) {
      const next = createMemoryLedger(options);
      await fill(next, entries);
      ledger = next;
    },
    forget({ type, subject }) {
      // Networks have no separate entries here.
      if (type === "account") ledger.erase({ email: subject });
      else if (type === "ip") ledger.erase({ ip: subject });
    },
  };
}

async function fill(ledger: MemoryLedger, entries: AsyncIterable<LedgerEntry>): Promise<void> {
  let chunk: LedgerEvent[] = [];
  for await (const entry of entries) {
    chunk.push(eventOf(entry));
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
