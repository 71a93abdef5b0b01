import type { RiskLookup } from "@riskgate/core";
import {
  createEngine,
  createFeedUpdater,
  type Engine,
  type EngineOptions,
  type FeedUpdaterOptions,
} from "@riskgate/engine";
import type { LedgerReader, LedgerView } from "../model/ledger-view.js";
import { createCircuitBreaker } from "../storage/circuit-breaker.js";
import type { Storage } from "../storage/storage.js";
import { createFeedRefresher, type FeedRefresher } from "./feed-refresher.js";
import { createReloadingLookup } from "./reloading-lookup.js";
import {
  createEngineWithRules,
  type EngineLookups,
  type EngineWithRules,
} from "./engine-with-rules.js";
import { loadServiceRules, type ServiceRules } from "./operator-rule-set.js";

export interface LookupParts {
  readonly options: Omit<EngineOptions, "ledger">;
  readonly feedUpdates: FeedUpdaterOptions | undefined;
  readonly ledger: LedgerReader & { viewOf(applicationId: string): LedgerView };
  readonly storage: Storage;
  readonly onError: (error: unknown) => void;
}

/** The service's engine, with everything that affects its assessments. */
export interface ServiceLookups {
  /** The engine without a ledger. */
  readonly engine: Engine;
  readonly rules: ServiceRules;
  /** Returns the lookups of an application, from its own reports and from those that others share. */
  of(applicationId: string): ApplicationLookups;
  /** The engine with the operator rules, from the reports of all applications. */
  readonly ofAll: EngineWithRules;
  readonly refresher: FeedRefresher;
  close(): Promise<void>;
}

interface ApplicationLookups {
  /** The engine without operator rules. */
  readonly engine: EngineLookups;
  readonly withRules: EngineWithRules;
  /** The engine with rules, which reloads forgotten subjects. */
  readonly lookup: RiskLookup;
  /** The engine for callers that cannot wait for DNS: domains that are not cached count as unknown. */
  readonly peek: Pick<Engine, "peekIp" | "peekEmail">;
}

/**
 * Opens the engine and loads the operator rules.
 *
 * @throws {RiskGateError} CONFIG_INVALID, STORE_FAILED
 */
export async function openLookups(parts: LookupParts): Promise<ServiceLookups> {
  const { options, feedUpdates, ledger, storage, onError } = parts;
  const updater = feedUpdates && createFeedUpdater(feedUpdates);
  const rules = await loadServiceRules(storage.operatorRules, onError);
  const feeds = [...(options.feeds ?? []), ...(updater?.feeds ?? [])];
  const engine = await createEngine({ ...options, feeds });
  const breaker = createCircuitBreaker();
  const store = storage.ledger;
  const open = (applicationId: string): ApplicationLookups => {
    const view = ledger.viewOf(applicationId);
    const own = engine.withLedger(view);
    const withRules = createEngineWithRules(own, rules);
    return {
      engine: own,
      withRules,
      lookup: createReloadingLookup({ lookup: withRules, ledger: view, store, breaker }),
      peek: options.mx ? withoutWaiting(own) : own,
    };
  };
  const opened = new Map<string, ApplicationLookups>();
  return {
    engine,
    rules,
    of(applicationId) {
      let known = opened.get(applicationId);
      if (!known) opened.set(applicationId, (known = open(applicationId)));
      return known;
    },
    ofAll: createEngineWithRules(engine.withLedger(ledger), rules),
    refresher: createFeedRefresher(engine, updater, storage),
    close: () => engine.close(),
  };
}

function withoutWaiting(engine: EngineLookups): ApplicationLookups["peek"] {
  return {
    peekIp: (ip) => engine.peekIp(ip),
    peekEmail(email) {
      try {
        const { assessment } = engine.explainEmail(email);
        return { state: "scored", assessment, source: "live" };
      } catch {
        // Like the engine's `peek`: an unusable identifier has no score.
        return undefined;
      }
    },
  };
}
