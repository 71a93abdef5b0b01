import type { EngineOptions, FeedUpdaterOptions, MemoryLedgerOptions } from "@riskgate/engine";
import type { OptionReader } from "@riskgate/core/adapter";
import type { DispatchNotice } from "./dispatch/dispatch-notice.js";
import { type DeliverySettings, readDeliverySettings } from "./dispatch/delivery-settings.js";
import { type ApiSettings, readApiSettings } from "./http/api-settings.js";
import { readRuleOptions, type RuleOptions, type RuleSettings } from "./events/rule-options.js";

/** Options of {@link createService}. Only the data directory has no default. */
export interface ServiceOptions
  extends Pick<EngineOptions, "feeds" | "geo" | "allow" | "weights">, Partial<ApiSettings> {
  /** Directory of the database; made if there is none. One process at a time holds it. */
  readonly dataDir: string;
  /** Published lists to keep copies of; the copies are feeds as well. */
  readonly feedUpdates?: FeedUpdateOptions;
  /** How events weigh, and for how long they count. */
  readonly ledger?: LedgerOptions;
  /** Thresholds of the rules that detect events and incidents. */
  readonly rules?: RuleOptions;
  /** Start of the dashboard URLs in payloads, without a slash at its end; default http://localhost. */
  readonly dashboardUrl?: string;
  /** False to take payloads in and send none; default true. */
  readonly dispatch?: boolean;
  readonly delivery?: Partial<DeliverySettings>;
  /** How long finished deliveries, events and ended incidents are kept, in days; default 90. */
  readonly retentionDays?: number;
  /** Told what happens to deliveries. */
  readonly onNotice?: (notice: DispatchNotice) => void;
  /** Told what went wrong where nobody waits for an answer; by default nobody is. */
  readonly onError?: (error: unknown) => void;
}

export type { DeliverySettings };

/** How the ledger remembers. */
export type LedgerOptions = Omit<MemoryLedgerOptions, "now">;

/** Where published lists come from, and when they are asked for. */
export interface FeedUpdateOptions extends Pick<
  FeedUpdaterOptions,
  "dir" | "feeds" | "onProgress"
> {
  /** Default 1 hour; 0 for never by itself. */
  readonly everyMs?: number;
}

/** Options after reading; what the engine takes is checked where it is made. */
export interface ServiceSettings {
  readonly dataDir: string;
  readonly engine: Pick<EngineOptions, "feeds" | "geo" | "allow" | "weights">;
  readonly ledger: LedgerOptions;
  readonly feedUpdates:
    { readonly updater: FeedUpdaterOptions; readonly everyMs: number } | undefined;
  readonly rules: RuleSettings;
  readonly dashboardUrl: string;
  readonly delivery: DeliverySettings | undefined;
  readonly retentionDays: number;
  readonly api: ApiSettings;
  readonly onNotice: ((notice: DispatchNotice) => void) | undefined;
  readonly onError: (error: unknown) => void;
}

const HOUR_MS = 3_600_000;

/**
 * Read the options of the service.
 *
 * @throws {RiskGateError} CONFIG_INVALID.
 */
export function readServiceOptions(options: OptionReader): ServiceSettings {
  const engine = Object.fromEntries(
    ["feeds", "geo", "allow", "weights"]
      .map((name) => [name, options.value(name)])
      .filter(([, value]) => value !== undefined),
  ) as ServiceSettings["engine"];
  const delivery = readDeliverySettings(options);
  return {
    dataDir: options.string("dataDir") || options.refuse("dataDir", "a directory", undefined),
    engine,
    ledger: options.value("ledger", {}) as LedgerOptions,
    feedUpdates: readFeedUpdates(options),
    rules: readRuleOptions(options),
    dashboardUrl: options.string("dashboardUrl") ?? "http://localhost",
    delivery: options.boolean("dispatch", true) ? delivery : undefined,
    retentionDays: options.number("retentionDays", 90, { min: 1, max: 36_500 }),
    api: readApiSettings(options),
    onNotice: options.function<(notice: DispatchNotice) => void>("onNotice"),
    onError: options.function<(error: unknown) => void>("onError") ?? (() => {}),
  };
}

function readFeedUpdates(options: OptionReader): ServiceSettings["feedUpdates"] {
  if (options.value("feedUpdates") === undefined) return undefined;
  const updates = options.group("feedUpdates") ?? options.refuse("feedUpdates", "an object", false);
  const everyMs = updates.durationMs("everyMs", HOUR_MS, { min: 0 });
  const onProgress = updates.function<NonNullable<FeedUpdateOptions["onProgress"]>>("onProgress");
  const updater = {
    dir: updates.string("dir") ?? updates.refuse("dir", "a directory", undefined),
    feeds: (updates.list("feeds") ?? []) as FeedUpdaterOptions["feeds"],
    ...(onProgress && { onProgress }),
  };
  return { updater, everyMs };
}
