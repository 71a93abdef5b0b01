export type { AllowOptions, EngineOptions } from "./engine-options.js";
export { createEngine, type Engine } from "./engine.js";
export type { Explanation, Signal } from "./explanation.js";
export { FEED_KINDS, type FeedInfo, type FeedKind, type FeedOptions } from "./feed-options.js";
export type { FeedOutcome, FeedProgress } from "./feed-progress.js";
export type { FeedSource } from "./feed-source.js";
export {
  createFeedUpdater,
  type FeedStatus,
  type FeedUpdater,
  type FeedUpdaterOptions,
} from "./feed-updater.js";
export type { GeoOptions } from "./geo.js";
export type { History, Ledger, LedgerEvent } from "./ledger.js";
export {
  createMemoryLedger,
  type LedgerSubject,
  type MemoryLedger,
  type MemoryLedgerOptions,
} from "./memory-ledger.js";
export type { SignalName } from "./score.js";
export type { Weights } from "./weights.js";
