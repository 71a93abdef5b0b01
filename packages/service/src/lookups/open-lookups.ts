import type { RiskLookup } from "@riskgate/core";
import {
  createEngine,
  createFeedUpdater,
  type Engine,
  type EngineOptions,
  type FeedUpdaterOptions,
  type Ledger,
} from "@riskgate/engine";
import type { Storage } from "../storage/storage.js";
import { createFeedRefresher, type FeedRefresher } from "./feed-refresher.js";
import { createRecallingLookup, type LimitedLedger } from "./recalling-lookup.js";
import { createRuledEngine, type RuledEngine } from "./ruled-engine.js";
import { loadServiceRules, type ServiceRules } from "./operator-rule-set.js";

/** Settings and dependencies of the lookups. */
export interface LookupParts {
  readonly options: Omit<EngineOptions, "ledger">;
  readonly feedUpdates: FeedUpdaterOptions | undefined;
  readonly ledger: Ledger & LimitedLedger;
  readonly storage: Storage;
  readonly onError: (error: unknown) => void;
}

/** The engine of a service, with everything that changes its answers. */
export interface ServiceLookups {
  readonly engine: Engine;
  readonly rules: ServiceRules;
  /** The engine with the operator rules applied. */
  readonly ruled: RuledEngine;
  /** Answers applications: the ruled engine, with recall of forgotten subjects. */
  readonly lookup: RiskLookup;
  /** The engine for callers that cannot wait for DNS: unknown domains count as unknown. */
  readonly peek: Pick<Engine, "peekIp" | "peekEmail">;
  readonly refresher: FeedRefresher;
  close(): Promise<void>;
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
  const engine = await createEngine({ ...options, feeds, ledger });
  const ruled = createRuledEngine(engine, rules);
  return {
    engine,
    rules,
    ruled,
    lookup: createRecallingLookup({ lookup: ruled, ledger, store: storage.ledger }),
    peek: options.mx ? withoutWaiting(engine) : engine,
    refresher: createFeedRefresher(engine, updater, storage),
    close: () => engine.close(),
  };
}

function withoutWaiting(engine: Engine): ServiceLookups["peek"] {
  return {
    peekIp: (ip) => engine.peekIp(ip),
    peekEmail(email) {
      try {
        const { assessment } = engine.explainEmail(email);
        return { state: "scored", assessment, source: "live" };
      } catch {
        // As the engine's own peek: an unusable identifier has no score.
        return undefined;
      }
    },
  };
}
