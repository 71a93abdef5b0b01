import { type OptionReader, readOptions } from "../base/options.js";
import { readConnection, readKey, type ServiceConnection } from "../lookup/service-address.js";
import type { DropHook } from "../outgoing/drop-notice.js";
import {
  readShipping,
  type ShippingOptions,
  type ShippingSettings,
} from "../outgoing/shipping-options.js";

export interface ConnectionOptions {
  /** URL of the service, with an optional path before `/v1`. */
  readonly baseUrl: string;
  /** Report key from `riskgate app key --report`, sent as `X-API-Key` to this service only. */
  readonly reportKey: string;
  /** Time limit for one attempt, in milliseconds. Default 5,000. */
  readonly timeoutMs?: number;
  /** Sends requests instead of the built-in connection. */
  readonly fetch?: typeof fetch;
  /** PEM text of certificate authorities to trust instead of the defaults. Not with `fetch`. */
  readonly ca?: string;
  /** Allow plain `http:` URLs for other machines. Default false. */
  readonly allowInsecureHttp?: boolean;
}

/** Options for {@link createReporter}. Only own properties are read, once. */
export interface ReporterOptions extends ConnectionOptions, ShippingOptions {
  /**
   * Retries for a batch, after 0.5, 1, 2 ... at most 30 seconds, or as `Retry-After` requests.
   * Default 8, about a minute and a half in total; then the batch is dropped.
   */
  readonly retries?: number;
  /** Receives dropped and rejected reports, at most once a minute for each error code. */
  readonly onDrop?: DropHook;
}

export interface ConnectionSettings extends ServiceConnection {
  readonly reportKey: string;
}

export interface ReporterSettings extends ConnectionSettings, ShippingSettings {
  readonly retries: number;
  readonly onDrop: DropHook | undefined;
}

/**
 * Reads the options for {@link createReporter}.
 * @throws {RiskGateError} CONFIG_INVALID, which never shows the key.
 */
export function readReporterOptions(given: unknown): ReporterSettings {
  return readOptions("createReporter", given, (options) => ({
    ...readReportConnection(options),
    ...readShipping(options, 4 * 1024 * 1024),
    retries: options.integer("retries", 8, { min: 0, max: 100 }),
    onDrop: options.function<DropHook>("onDrop"),
  }));
}

/** @throws {RiskGateError} CONFIG_INVALID, which never shows the key. */
export function readReportConnection(options: OptionReader): ConnectionSettings {
  return { ...readConnection(options, 5_000), reportKey: readKey(options, "reportKey") };
}
