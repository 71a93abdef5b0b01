import { type OptionReader, readOptions } from "../base/options.js";
import { readConnection, readKey, type ServiceConnection } from "../lookup/service-address.js";
import type { DropHook } from "../outgoing/drop-notice.js";
import {
  readShipping,
  type ShippingOptions,
  type ShippingSettings,
} from "../outgoing/shipping-options.js";

/** Where reports go. */
export interface ConnectionOptions {
  /** Address of the service, with an optional path before `/v1`. */
  readonly baseUrl: string;
  /** Key for reports, sent as `X-API-Key` to this service only; `riskgate app key --report` makes one. */
  readonly reportKey: string;
  /** Longest time for one attempt. Default 5,000. */
  readonly timeoutMs?: number;
  /** Used for requests instead of the built-in connection. */
  readonly fetch?: typeof fetch;
  /** PEM text of certificate authorities to trust instead of the usual ones. Not with `fetch`. */
  readonly ca?: string;
  /** Accept plain `http:` to a host that is not this machine. Default false. */
  readonly allowInsecureHttp?: boolean;
}

/** Options of {@link createReporter}. They are read once, own properties only. */
export interface ReporterOptions extends ConnectionOptions, ShippingOptions {
  /**
   * Further attempts for a batch, after 0.5, 1, 2 ... at most 30 seconds, or the time of `Retry-After`.
   * Default 8, which takes about a minute and a half; then the batch is dropped.
   */
  readonly retries?: number;
  /** Receives dropped and refused reports, for each error code at most once a minute. */
  readonly onDrop?: DropHook;
}

/** Options of a connection after reading. */
export interface ConnectionSettings extends ServiceConnection {
  readonly reportKey: string;
}

/** Options after reading. */
export interface ReporterSettings extends ConnectionSettings, ShippingSettings {
  readonly retries: number;
  readonly onDrop: DropHook | undefined;
}

/**
 * Reads the options of {@link createReporter}.
 *
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
