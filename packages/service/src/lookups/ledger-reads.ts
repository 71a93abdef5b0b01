import { RiskGateError } from "@riskgate/core";
import { destinationOf, mailboxesIn } from "@riskgate/core/address";
import { limitTime } from "@riskgate/core/internal";
import { createMemoryLedger, type Ledger, type MemoryLedgerOptions } from "@riskgate/engine";
import { LRUCache } from "lru-cache";
import { inBatches } from "../base/batched-query.js";
import { ledgerEventOf } from "../model/ledger-event.js";
import type { LedgerRecord, Subject } from "../model/subject.js";
import { keyOf } from "../model/subject-key.js";
import type { HistoryRequest, LedgerStore } from "../storage/event-store.js";

export type LedgerReader = Omit<Ledger, "record">;

/**
 * Reads the stored ledger for lookups. What was read is remembered for a second, and no longer than
 * until this process records something about the subject.
 */
export interface LedgerReads {
  /** Returns a ledger with the history of an address; undefined if it must be read first. */
  peekIp(ip: string, applicationId?: string): LedgerReader | undefined;
  peekEmail(email: string, applicationId?: string): LedgerReader | undefined;
  /** @throws {RiskGateError} STORE_FAILED if the database does not respond */
  ofIp(ip: string, applicationId?: string): Promise<LedgerReader>;
  /** @throws {RiskGateError} STORE_FAILED if the database does not respond */
  ofEmail(email: string, applicationId?: string): Promise<LedgerReader>;
  /** Forgets what was read about subjects, or everything. */
  forget(subjects?: readonly Subject[]): void;
}

/** A ledger without entries. */
export const NO_ENTRIES: LedgerReader = {
  ipHistory: () => undefined,
  emailHistory: () => undefined,
};

/** How long an answer is used again, in milliseconds. */
const FRESH_MS = 1_000;

/** Time limit for reading, below the time limit of most clients. */
const LIMIT_MS = 800;

const MAX_REMEMBERED = 20_000;

export function createLedgerReads(
  store: Pick<LedgerStore, "historiesOf">,
  options: Omit<MemoryLedgerOptions, "maxEntries">,
  nowMs: () => number = () => performance.now(),
): LedgerReads {
  /** By the key of the subject, and then by the application that reads. */
  const remembered = new LRUCache<string, Map<string, { reader: LedgerReader; atMs: number }>>({
    max: MAX_REMEMBERED,
  });
  let forgotten = 0;
  const find = inBatches<readonly LedgerRecord[]>(async (texts) => {
    const requests = texts.map((text) => JSON.parse(text) as HistoryRequest);
    const found = await store.historiesOf(requests);
    return new Map(texts.map((text, index) => [text, found[index]!]));
  });

  const read = async (subject: Subject, reader: string): Promise<LedgerReader> => {
    const key = keyOf(subject);
    const before = forgotten;
    const request: HistoryRequest = { type: subject.type, key, reader };
    const entries = await limitTime(find(JSON.stringify(request)), LIMIT_MS, noAnswer, true);
    const result = ledgerOf(entries ?? [], options);
    if (forgotten === before) {
      const text = `${subject.type} ${key}`;
      const known = remembered.get(text) ?? new Map<string, never>();
      remembered.set(text, known.set(reader, { reader: result, atMs: nowMs() }));
    }
    return result;
  };
  const peek = (subject: Subject | undefined, reader = ""): LedgerReader | undefined => {
    if (!subject) return NO_ENTRIES;
    const found = remembered.get(`${subject.type} ${keyOf(subject)}`)?.get(reader);
    return found && nowMs() - found.atMs < FRESH_MS ? found.reader : undefined;
  };
  const readMailboxes = async (
    mailboxes: readonly string[],
    reader: string,
  ): Promise<LedgerReader> => {
    const readers = await Promise.all(
      mailboxes.map((subject) => read({ type: "account", subject }, reader)),
    );
    // Each knows one mailbox; the worst of them counts.
    return {
      ipHistory: () => undefined,
      emailHistory: (email) =>
        readers
          .map((one) => one.emailHistory(email))
          .reduce((worst, one) => ((one?.weight ?? 0) > (worst?.weight ?? 0) ? one : worst)),
    };
  };

  return {
    peekIp: (ip, reader) => peek(addressOf(ip), reader),
    peekEmail(email, reader) {
      const [mailbox, ...others] = mailboxesIn(email);
      if (others.length > 0) return undefined;
      return peek(
        mailbox === undefined ? undefined : { type: "account", subject: mailbox },
        reader,
      );
    },
    async ofIp(ip, reader = "") {
      const subject = addressOf(ip);
      return peek(subject, reader) ?? read(subject!, reader);
    },
    async ofEmail(email, reader = "") {
      const [mailbox, ...others] = mailboxesIn(email);
      if (mailbox === undefined) return NO_ENTRIES;
      if (others.length > 0) return readMailboxes([mailbox, ...others], reader);
      const subject: Subject = { type: "account", subject: mailbox };
      return peek(subject, reader) ?? read(subject, reader);
    },
    forget(subjects) {
      forgotten++;
      if (!subjects) remembered.clear();
      else for (const one of subjects) remembered.delete(`${one.type} ${keyOf(one)}`);
    },
  };
}

/** Returns a ledger with the given entries, oldest first. */
function ledgerOf(
  entries: readonly LedgerRecord[],
  options: Omit<MemoryLedgerOptions, "maxEntries">,
): LedgerReader {
  const counting = entries.filter(({ isNotice }) => !isNotice);
  if (counting.length === 0) return NO_ENTRIES;
  const ledger = createMemoryLedger(options);
  ledger.replay(counting.map(ledgerEventOf));
  return ledger;
}

function addressOf(ip: string): Subject | undefined {
  const subject = destinationOf(ip);
  return subject === undefined ? undefined : { type: "ip", subject };
}

function noAnswer(): never {
  throw new RiskGateError("STORE_FAILED", "the ledger could not be read in time", {
    hint: "Check the database; lookups are answered again as soon as it responds",
  });
}
