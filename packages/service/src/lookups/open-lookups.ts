import {
  createEngine,
  createFeedUpdater,
  createMemoryLedger,
  type Engine,
  type EngineOptions,
  type FeedUpdaterOptions,
  type MemoryLedgerOptions,
} from "@riskgate/engine";
import type { RiskPeek, Scratch } from "../model/scratch.js";
import { ledgerEventOf } from "../model/ledger-event.js";
import { keyOf } from "../model/subject-key.js";
import type { HistoryRequest } from "../storage/event-store.js";
import type { Storage } from "../storage/storage.js";
import {
  createEngineWithRules,
  type EngineLookups,
  type EngineWithRules,
  type PlainExplanations,
} from "./engine-with-rules.js";
import { createFeedRefresher, type FeedRefresher } from "./feed-refresher.js";
import {
  createLedgerReads,
  type LedgerReader,
  type LedgerReads,
  NO_ENTRIES,
} from "./ledger-reads.js";
import { loadServiceRules, type ServiceRules } from "./operator-rule-set.js";

export interface LookupParts {
  readonly options: Omit<EngineOptions, "ledger">;
  readonly feedUpdates: FeedUpdaterOptions | undefined;
  readonly ledger: Omit<MemoryLedgerOptions, "maxEntries">;
  readonly storage: Storage;
  readonly onError: (error: unknown) => void;
}

/** The service's engine, with everything that affects its assessments. */
export interface ServiceLookups {
  /** The engine without a ledger. */
  readonly engine: Engine;
  readonly rules: ServiceRules;
  readonly reads: LedgerReads;
  /**
   * Returns the lookups of an application, from its own reports and from those that others share;
   * without an application, from the reports of all.
   */
  of(applicationId?: string): EngineWithRules;
  /** Returns explanations without the operator rules, as {@link of}. */
  plain(applicationId?: string): PlainExplanations;
  /** Returns a ledger for the scores of some accounts of an application. */
  scratchOf(applicationId: string): Scratch;
  readonly refresher: FeedRefresher;
  close(): Promise<void>;
}

/**
 * Opens the engine and loads the operator rules.
 *
 * @throws {RiskGateError} CONFIG_INVALID, STORE_FAILED
 */
export async function openLookups(parts: LookupParts): Promise<ServiceLookups> {
  const { options, feedUpdates, storage, onError } = parts;
  const updater = feedUpdates && createFeedUpdater(feedUpdates);
  const rules = await loadServiceRules(storage.operatorRules, onError);
  const feeds = [...(options.feeds ?? []), ...(updater?.feeds ?? [])];
  const engine = await createEngine({ ...options, feeds });
  const reads = createLedgerReads(storage.ledger, parts.ledger);
  const opened = new Map<string, EngineWithRules>();
  return {
    engine,
    rules,
    reads,
    of(applicationId = "") {
      let known = opened.get(applicationId);
      if (!known) {
        const reader = applicationId === "" ? undefined : applicationId;
        opened.set(applicationId, (known = createLookups(engine, rules, reads, reader)));
      }
      return known;
    },
    plain: (applicationId) => ({
      explainIp: async (ip) => engine.withLedger(await reads.ofIp(ip, applicationId)).explainIp(ip),
      explainEmail: async (email) =>
        engine.withLedger(await reads.ofEmail(email, applicationId)).explainEmail(email),
    }),
    scratchOf: (applicationId) => async (accounts) => {
      const requests = accounts.map((subject): HistoryRequest => {
        const key = keyOf({ type: "account", subject });
        return { type: "account", key, reader: applicationId };
      });
      const histories = await storage.ledger.historiesOf(requests);
      const ledger = createMemoryLedger(parts.ledger);
      for (const entries of histories) ledger.replay(entries.filter(isCounting).map(ledgerEventOf));
      const own = engine.withLedger(ledger);
      return {
        ledger: {
          add: (entries) => void ledger.replay(entries.filter(isCounting).map(ledgerEventOf)),
        },
        peek: options.mx ? withoutWaiting(own) : own,
      };
    },
    refresher: createFeedRefresher(engine, updater, storage),
    close: () => engine.close(),
  };
}

function isCounting({ isNotice }: { readonly isNotice?: boolean }): boolean {
  return !isNotice;
}

/** Creates lookups that read the ledger first, and never answer without it. */
function createLookups(
  engine: Engine,
  rules: ServiceRules,
  reads: LedgerReads,
  reader: string | undefined,
): EngineWithRules {
  const withLedger = (ledger: LedgerReader): EngineWithRules =>
    createEngineWithRules(engine.withLedger(ledger), rules);
  const unknown = withLedger(NO_ENTRIES);
  const over = (ledger: LedgerReader): EngineWithRules =>
    ledger === NO_ENTRIES ? unknown : withLedger(ledger);
  return {
    peekIp(ip) {
      const ledger = reads.peekIp(ip, reader);
      return ledger && over(ledger).peekIp(ip);
    },
    peekEmail(email) {
      const ledger = reads.peekEmail(email, reader);
      return ledger && over(ledger).peekEmail(email);
    },
    lookupIp: async (ip, how) => over(await reads.ofIp(ip, reader)).lookupIp(ip, how),
    lookupEmail: async (email, how) =>
      over(await reads.ofEmail(email, reader)).lookupEmail(email, how),
    explainIp: async (ip) => over(await reads.ofIp(ip, reader)).explainIp(ip),
    explainEmail: async (email) => over(await reads.ofEmail(email, reader)).explainEmail(email),
  };
}

function withoutWaiting(engine: EngineLookups): RiskPeek {
  return {
    peekIp: (ip) => engine.peekIp(ip),
    peekEmail(email) {
      try {
        const { assessment } = engine.explainEmail(email);
        return { assessment };
      } catch {
        // Like the engine's `peek`: an unusable identifier has no score.
        return undefined;
      }
    },
  };
}
