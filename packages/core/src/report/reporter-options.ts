import { type OptionReader, readOptions } from "../base/options.js";
import { readBaseUrl, readKey } from "../lookup/service-address.js";
import type { DropHook } from "../outgoing/drop-notice.js";

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
export interface ReporterOptions extends ConnectionOptions {
  /** How long reports are gathered before they are sent together, in milliseconds. Default 1,000. */
  readonly intervalMs?: number;
  /** Reports that are sent together, 1 to 400; as many waiting are sent at once. Default 200. */
  readonly batchSize?: number;
  /** Most reports that wait; further ones are dropped. Default 10,000. */
  readonly maxQueued?: number;
  /** Most bytes of JSON that wait; further reports are dropped. Default 4 MiB. */
  readonly maxQueuedBytes?: number;
  /**
   * Further attempts for a batch, after 0.5, 1, 2 ... at most 30 seconds, or the time of `Retry-After`.
   * Default 8, which takes about a minute and a half; then the batch is dropped.
   */
  readonly retries?: number;
  /** Longest time for `flush` and `close`. Default 5,000. */
  readonly flushTimeoutMs?: number;
  /** Receives dropped and refused reports, for each error code at most once a minute. */
  readonly onDrop?: DropHook;
}

/** Options of a connection after reading. */
export interface ConnectionSettings {
  readonly origin: string;
  readonly basePath: string;
  readonly reportKey: string;
  readonly timeoutMs: number;
  readonly fetch: typeof fetch | undefined;
  readonly ca: string | undefined;
}

/** Options after reading. */
export interface ReporterSettings extends ConnectionSettings {
  readonly intervalMs: number;
  readonly limits: {
    readonly batchSize: number;
    readonly maxQueued: number;
    readonly maxQueuedBytes: number;
  };
  readonly retries: number;
  readonly flushTimeoutMs: number;
  readonly onDrop: DropHook | undefined;
}

/** The answer to more elements could exceed the bytes that are read. */
const MAX_BATCH_SIZE = 400;

/**
 * Reads the options of {@link createReporter}.
 *
 * @throws {RiskGateError} CONFIG_INVALID, which never shows the key.
 */
export function readReporterOptions(given: unknown): ReporterSettings {
  return readOptions("createReporter", given, (options) => ({
    ...readConnection(options),
    intervalMs: options.durationMs("intervalMs", 1000),
    limits: {
      batchSize: options.integer("batchSize", 200, { max: MAX_BATCH_SIZE }),
      maxQueued: options.integer("maxQueued", 10_000),
      maxQueuedBytes: options.integer("maxQueuedBytes", 4 * 1024 * 1024),
    },
    retries: options.integer("retries", 8, { min: 0, max: 100 }),
    flushTimeoutMs: options.durationMs("flushTimeoutMs", 5000),
    onDrop: options.function<DropHook>("onDrop"),
  }));
}

/** @throws {RiskGateError} CONFIG_INVALID, which never shows the key. */
export function readConnection(options: OptionReader): ConnectionSettings {
  const fetch = options.function<typeof globalThis.fetch>("fetch");
  const ca = options.string("ca");
  if (ca !== undefined && fetch) {
    options.refuseSecret("ca", "left out when `fetch` is given, which makes the connections", ca);
  }
  return {
    ...readBaseUrl(options),
    reportKey: readKey(options, "reportKey"),
    timeoutMs: options.durationMs("timeoutMs", 5000),
    fetch,
    ca,
  };
}
