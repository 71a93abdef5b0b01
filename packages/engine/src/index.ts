export type { AllowOptions, EngineOptions } from "./engine-options.js";
export { createEngine, type Engine } from "./engine.js";
export type { AskedFeed, Explanation, IpExplanation, Signal } from "./assess/explanation.js";
export { type FeedCoverage, type FeedReach, measureFeeds } from "./feeds/feed-coverage.js";
export {
  FEED_KINDS,
  type FeedInfo,
  type FeedKind,
  type FeedOptions,
} from "./feeds/feed-options.js";
export type { FeedOutcome, FeedProgress } from "./feeds/feed-progress.js";
export type { FeedSource } from "./feeds/feed-source.js";
export {
  createFeedUpdater,
  type FeedStatus,
  type FeedUpdater,
  type FeedUpdaterOptions,
} from "./feeds/feed-updater.js";
export type { AutonomousSystem } from "./geo/autonomous-system.js";
export type { GeoOptions } from "./geo/geo.js";
export { type FileLedger, type FileLedgerOptions, openFileLedger } from "./ledger/file-ledger.js";
export { createLedgerReporter, type LedgerReporterOptions } from "./ledger/ledger-reporter.js";
export type { History, Ledger, LedgerEvent } from "./ledger/ledger.js";
export {
  createMemoryLedger,
  type LedgerSubject,
  type MemoryLedger,
  type MemoryLedgerOptions,
} from "./ledger/memory-ledger.js";
export type { MxOptions } from "./mail/mx-options.js";
export type { SignalName } from "./assess/score.js";
export type { Weights } from "./assess/weights.js";
