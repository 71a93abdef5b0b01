import type { EngineOptions, FeedUpdaterOptions, MemoryLedgerOptions } from "@riskgate/engine";
import type { OptionReader } from "@riskgate/core/adapter";
import type { DispatchNotice } from "./dispatch/dispatch-notice.js";
import { type DeliverySettings, readDeliverySettings } from "./dispatch/delivery-settings.js";
import { type ApiSettings, readApiSettings } from "./http/api-settings.js";
import type { ServiceLogger } from "./service-log.js";
import {
  readDetectionSettings,
  type RuleOptions,
  type DetectionSettings,
} from "./detection/detection-settings.js";

const ENGINE_OPTIONS = ["feeds", "geo", "mx", "allow", "forwarding", "weights"] as const;

type EngineOptionName = (typeof ENGINE_OPTIONS)[number];

/** Options for {@link createService}; `dataDir` or `database` is required. */
export interface ServiceOptions
  extends Pick<EngineOptions, EngineOptionName>, Partial<ApiSettings> {
  /** Database directory, created if it does not exist. Only one process at a time can use it. */
  readonly dataDir?: string;
  /**
   * URL of a PostgreSQL database, instead of a data directory:
   * `postgres://user:password@host:5432/name?sslmode=verify-full`. Any number of processes can
   * share it.
   */
  readonly database?: string;
  /** Published lists to download; the copies are feeds as well. */
  readonly feedUpdates?: FeedUpdateOptions;
  readonly ledger?: LedgerOptions;
  /** Thresholds for detecting events and incidents. */
  readonly rules?: RuleOptions;
  /**
   * Counts all spellings that a provider delivers to the same mailbox as one account, in the ledger
   * and in detection; see `docs/mailboxes.md`. Default true.
   */
  readonly providerRules?: boolean;
  /**
   * Base of the dashboard URLs in payloads, without a trailing slash; default the URL of the console
   * on this machine, or http://localhost without a console.
   */
  readonly dashboardUrl?: string;
  /** False to store payloads without sending them; default true. */
  readonly dispatch?: boolean;
  readonly delivery?: Partial<DeliverySettings>;
  /** How long finished deliveries, events and ended incidents are stored, in days; default 90. */
  readonly retentionDays?: number;
  /** Called after every delivery attempt and state change. */
  readonly onNotice?: (notice: DispatchNotice) => void;
  /**
   * Logger for requests, deliveries and errors, such as pino; default none. Log entries contain no
   * addresses, accounts, keys or secrets.
   */
  readonly logger?: ServiceLogger;
  /** Called with errors from background work; by default these errors are ignored. */
  readonly onError?: (error: unknown) => void;
}

export type { DeliverySettings };

export type LedgerOptions = Omit<MemoryLedgerOptions, "now" | "providerRules">;

/** Sources of published lists, and how often they are downloaded. */
export interface FeedUpdateOptions extends Pick<
  FeedUpdaterOptions,
  "dir" | "feeds" | "onProgress"
> {
  /** Default 1 hour; 0 to update on request only. */
  readonly everyMs?: number;
}

/** The validated options; the engine validates its own. */
export interface ServiceSettings {
  /** Exactly one of `dataDir` and `database` is set. */
  readonly dataDir: string | undefined;
  readonly database: string | undefined;
  readonly engine: Pick<EngineOptions, EngineOptionName>;
  readonly ledger: Omit<MemoryLedgerOptions, "now">;
  readonly feedUpdates:
    { readonly updater: FeedUpdaterOptions; readonly everyMs: number } | undefined;
  readonly rules: DetectionSettings;
  readonly dashboardUrl: string | undefined;
  readonly delivery: DeliverySettings | undefined;
  readonly retentionDays: number;
  readonly api: ApiSettings;
  readonly onNotice: ((notice: DispatchNotice) => void) | undefined;
  readonly logger: ServiceLogger | undefined;
  readonly onError: (error: unknown) => void;
}

const HOUR_MS = 3_600_000;

export function readServiceOptions(options: OptionReader): ServiceSettings {
  const engine = pick<ServiceSettings["engine"]>(options, ENGINE_OPTIONS);
  const delivery = readDeliverySettings(options);
  return {
    ...readPlace(options),
    engine,
    ledger: readLedger(options),
    feedUpdates: readFeedUpdates(options),
    rules: readDetectionSettings(options),
    dashboardUrl: readDashboardUrl(options),
    delivery: options.boolean("dispatch", true) ? delivery : undefined,
    retentionDays: options.number("retentionDays", 90, { min: 1, max: 36_500 }),
    api: readApiSettings(options),
    onNotice: options.function<(notice: DispatchNotice) => void>("onNotice"),
    logger: readLogger(options),
    onError: options.function<(error: unknown) => void>("onError") ?? (() => {}),
  };
}

function readPlace(options: OptionReader): Pick<ServiceSettings, "dataDir" | "database"> {
  const database = options.string("database");
  const dataDir = options.string("dataDir");
  if (database !== undefined) return { dataDir: undefined, database };
  return { dataDir: dataDir || options.refuse("dataDir", "a directory", undefined), database };
}

const LOG_METHODS = ["info", "warn", "error"] as const;

function readLogger(options: OptionReader): ServiceLogger | undefined {
  const logger = options.value("logger");
  if (logger === undefined) return undefined;
  const isLogger =
    typeof logger === "object" &&
    logger !== null &&
    // Its methods may be inherited from a class.
    LOG_METHODS.every((name) => typeof (logger as Partial<ServiceLogger>)[name] === "function");
  return isLogger
    ? (logger as ServiceLogger)
    : options.refuse("logger", `an object with ${LOG_METHODS.join(", ")}`, logger);
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

function readLedger(options: OptionReader): ServiceSettings["ledger"] {
  const ledger = options.group("ledger") ?? options.refuse("ledger", "an object", false);
  return {
    ...pick<LedgerOptions>(ledger, ["maxEntries", "halfLifeMs", "retentionMs", "ipv6Prefix"]),
    providerRules: options.boolean("providerRules", true),
  };
}

function pick<T extends object>(options: OptionReader, names: readonly (keyof T & string)[]): T {
  const entries = names.map((name) => [name, options.value(name)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as T;
}

/** Reads the dashboard URL. Accepts only web URLs, because people click the links in payloads. */
function readDashboardUrl(options: OptionReader): string | undefined {
  const url = options.string("dashboardUrl");
  if (url === undefined || (/^https?:\/\/[^\s"<>\\^`{|}]+$/i.test(url) && URL.canParse(url))) {
    return url;
  }
  return options.refuse("dashboardUrl", "an http: or https: URL", url);
}
