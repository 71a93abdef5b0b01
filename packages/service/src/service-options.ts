import type { EngineOptions, FeedUpdaterOptions, MemoryLedgerOptions } from "@riskgate/engine";
import type { OptionReader } from "@riskgate/core/adapter";
import type { DispatchNotice } from "./dispatch/dispatch-notice.js";
import { type DeliverySettings, readDeliverySettings } from "./dispatch/delivery-settings.js";
import { type ApiSettings, readApiSettings } from "./http/api-settings.js";
import type { ServiceLogger } from "./service-log.js";
import {
  readRuleSettings,
  type RuleOptions,
  type RuleSettings,
} from "./detection/detection-settings.js";

/** Options of {@link createService}, of which `dataDir` or `database` is required. */
export interface ServiceOptions
  extends Pick<EngineOptions, "feeds" | "geo" | "mx" | "allow" | "weights">, Partial<ApiSettings> {
  /** Directory of the database; made if there is none. One process at a time holds it. */
  readonly dataDir?: string;
  /**
   * Database of PostgreSQL instead of a data directory, as
   * `postgres://user:password@host:5432/name?sslmode=verify-full`. Any number of processes
   * may share it.
   */
  readonly database?: string;
  /** Published lists to keep copies of; the copies are feeds as well. */
  readonly feedUpdates?: FeedUpdateOptions;
  /** How events weigh, and for how long they count. */
  readonly ledger?: LedgerOptions;
  /** Thresholds of the rules that detect events and incidents. */
  readonly rules?: RuleOptions;
  /**
   * Whether the spellings of a mailbox that its provider ignores are one account, for the ledger and
   * the rules; see `docs/mailboxes.md`. Default true.
   */
  readonly providerRules?: boolean;
  /**
   * Start of the dashboard URLs in payloads, without a slash at its end; default the console, as it is
   * reached from this machine, or http://localhost without one.
   */
  readonly dashboardUrl?: string;
  /** False to take payloads in and send none; default true. */
  readonly dispatch?: boolean;
  readonly delivery?: Partial<DeliverySettings>;
  /** How long finished deliveries, events and ended incidents are kept, in days; default 90. */
  readonly retentionDays?: number;
  /** Called with what happens to deliveries. */
  readonly onNotice?: (notice: DispatchNotice) => void;
  /**
   * Where requests, deliveries and errors are logged, for example a pino logger; default nowhere. No
   * entry names an address, an account, a key or a secret.
   */
  readonly logger?: ServiceLogger;
  /** Called with an error that no caller waits for; by default it is dropped. */
  readonly onError?: (error: unknown) => void;
}

export type { DeliverySettings };

/** How long and how strongly events count. */
export type LedgerOptions = Omit<MemoryLedgerOptions, "now" | "providerRules">;

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
  /** Of the two, exactly one is there. */
  readonly dataDir: string | undefined;
  readonly database: string | undefined;
  readonly engine: Pick<EngineOptions, "feeds" | "geo" | "mx" | "allow" | "weights">;
  readonly ledger: Omit<MemoryLedgerOptions, "now">;
  readonly feedUpdates:
    { readonly updater: FeedUpdaterOptions; readonly everyMs: number } | undefined;
  readonly rules: RuleSettings;
  readonly dashboardUrl: string | undefined;
  readonly delivery: DeliverySettings | undefined;
  readonly retentionDays: number;
  readonly api: ApiSettings;
  readonly onNotice: ((notice: DispatchNotice) => void) | undefined;
  readonly logger: ServiceLogger | undefined;
  readonly onError: (error: unknown) => void;
}

const HOUR_MS = 3_600_000;

/**
 * Read the options of the service.
 *
 * @throws {RiskGateError} CONFIG_INVALID.
 */
export function readServiceOptions(options: OptionReader): ServiceSettings {
  const engine = pick<ServiceSettings["engine"]>(options, [
    "feeds",
    "geo",
    "mx",
    "allow",
    "weights",
  ]);
  const delivery = readDeliverySettings(options);
  return {
    ...readPlace(options),
    engine,
    ledger: readLedger(options),
    feedUpdates: readFeedUpdates(options),
    rules: readRuleSettings(options),
    dashboardUrl: readDashboardUrl(options),
    delivery: options.boolean("dispatch", true) ? delivery : undefined,
    retentionDays: options.number("retentionDays", 90, { min: 1, max: 36_500 }),
    api: readApiSettings(options),
    onNotice: options.function<(notice: DispatchNotice) => void>("onNotice"),
    logger: readLogger(options),
    onError: options.function<(error: unknown) => void>("onError") ?? (() => {}),
  };
}

/** Where the database is: a directory, unless there is a URL. */
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
    // Its methods may be those of a class.
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

/** Options as given, for the factory that checks them; without those that are left out. */
function pick<T extends object>(options: OptionReader, names: readonly (keyof T & string)[]): T {
  const entries = names.map((name) => [name, options.value(name)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as T;
}

/** It begins links in payloads, which people click. */
function readDashboardUrl(options: OptionReader): string | undefined {
  const url = options.string("dashboardUrl");
  if (url === undefined || (/^https?:\/\/[^\s"<>\\^`{|}]+$/i.test(url) && URL.canParse(url))) {
    return url;
  }
  return options.refuse("dashboardUrl", "an http: or https: URL", url);
}
