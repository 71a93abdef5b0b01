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
import { createReloadingLookup, type LimitedLedger } from "./reloading-lookup.js";
import { createEngineWithRules, type EngineWithRules } from "./engine-with-rules.js";
import { loadServiceRules, type ServiceRules } from "./operator-rule-set.js";

export interface LookupParts {
  readonly options: Omit<EngineOptions, "ledger">;
  readonly feedUpdates: FeedUpdaterOptions | undefined;
  readonly ledger: Ledger & LimitedLedger;
  readonly storage: Storage;
  readonly onError: (error: unknown) => void;
}

/** The service's engine, with everything that affects its assessments. */
export interface ServiceLookups {
  readonly engine: Engine;
  readonly rules: ServiceRules;
  /** The engine with the operator rules applied. */
  readonly withRules: EngineWithRules;
  /** Looks up scores for applications: the engine with rules, which reloads forgotten subjects. */
  readonly lookup: RiskLookup;
  /** The engine for callers that cannot wait for DNS: domains that are not cached count as unknown. */
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
  const withRules = createEngineWithRules(engine, rules);
  return {
    engine,
    rules,
    withRules,
    lookup: createReloadingLookup({ lookup: withRules, ledger, store: storage.ledger }),
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
        // Like the engine's `peek`: an unusable identifier has no score.
        return undefined;
      }
    },
  };
}
