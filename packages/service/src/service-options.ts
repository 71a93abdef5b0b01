import type { EngineOptions, FeedUpdaterOptions, MemoryLedgerOptions } from "@riskgate/engine";
import type { DispatchNotice } from "./dispatch/dispatch-notice.js";
import type { DeliverySettings } from "./dispatch/delivery-settings.js";
import type { ApiSettings } from "./http/api-settings.js";
import type { RuleOptions } from "./events/rule-options.js";

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

/** Some of the options, without those that are not given. */
export function pickOptions<T extends object, K extends keyof T>(
  options: T,
  names: readonly K[],
): Pick<T, K> {
  const given = names.filter((name) => options[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, options[name]])) as Pick<T, K>;
}
