import type { BreakerSettings } from "./lookup-breaker.js";
import type { CacheSettings } from "./cache.js";
import type { CacheStore } from "./cache-store.js";
import { monotonicMs } from "../base/clock.js";
import { type OptionReader, readOptions } from "../base/options.js";
import { TAKES_CA } from "./own-transport.js";
import { readConnection, readKey, type ServiceConnection } from "./service-address.js";

/** Options of {@link createRiskClient}. They are read once, own properties only. */
export interface RiskClientOptions {
  /** Address of the service, with an optional path before `/v1`. */
  baseUrl: string;
  /** Sent as `X-API-Key`, to this service only. Visible ASCII. */
  apiKey: string;
  /** One deadline over queueing, connecting, headers, body and retry. Default 2,000. */
  timeoutMs?: number;
  /**
   * Second attempts after a connection error, 429, 502, 503 or 504. Default 1. A request that the
   * service did not read because it was closing the connection is sent again in any case.
   */
  retries?: 0 | 1;
  /** Requests sent at the same time; further lookups wait in order. Default 64. */
  maxConnections?: number;
  /** How answers are remembered; `false` to remember none. */
  cache?: CacheOptions | false;
  /** When calls stop because the service fails or asks for a pause; `false` for never. */
  breaker?: BreakerOptions | false;
  /** Used for requests instead of the built-in connection pool, which is several times as fast. */
  fetch?: typeof fetch;
  /** PEM text of certificate authorities to trust instead of the usual ones. Not with `fetch`. */
  ca?: string;
  /** Accept plain `http:` to a host that is not this machine. Default false. */
  allowInsecureHttp?: boolean;
  /** Monotonic clock in milliseconds, for the age of answers. Default `performance.now`. */
  now?: () => number;
}

/** How long answers are remembered. */
export interface CacheOptions {
  /** For IP and for email addresses each; the least recently used is evicted. Default 10,000. */
  maxEntries?: number;
  /** Default 300,000; 0 remembers nothing. */
  ttlMs?: number;
  /** For scores above 40, which can be cleared soon. Default 60,000, at most `ttlMs`. */
  riskyTtlMs?: number;
  /** How long a stale answer may serve while live calls fail. Default 3,600,000. */
  staleMs?: number;
  /** How long after a failed call the stale answer serves without another call. Default 1,000. */
  failureTtlMs?: number;
  /** Second level, shared by several processes. */
  store?: CacheStore;
}

/** When calls to a failing service stop. */
export interface BreakerOptions {
  /** Failed calls in a row after which lookups fail at once. Default 10. */
  failures?: number;
  /** How often one call is tried while it fails. Default 1,000. */
  coolDownMs?: number;
}

/** Options after reading. */
export interface ClientSettings extends ServiceConnection {
  readonly apiKey: string;
  readonly retries: number;
  readonly maxConnections: number;
  readonly cache: CacheSettings | undefined;
  readonly store: CacheStore | undefined;
  readonly breaker: BreakerSettings | undefined;
  readonly now: () => number;
}

/**
 * Reads the options of {@link createRiskClient}.
 *
 * @throws {RiskGateError} CONFIG_INVALID, which never shows the API key.
 */
export function readClientOptions(given: unknown): ClientSettings {
  return readOptions("createRiskClient", given, (options) => {
    const cache = options.group("cache");
    const breaker = options.group("breaker");
    const connection = readConnection(options, 2000);
    if (connection.ca !== undefined && !TAKES_CA) {
      options.refuseSecret("ca", "left out: this runtime makes the connections", connection.ca);
    }
    return {
      ...connection,
      apiKey: readKey(options, "apiKey"),
      retries: options.integer("retries", 1, { min: 0, max: 1 }),
      maxConnections: options.integer("maxConnections", 64, { max: 65_535 }),
      cache: cache && readCache(cache),
      store: cache?.object<CacheStore>("store", ["get", "set"]),
      breaker: breaker && {
        failures: breaker.integer("failures", 10),
        coolDownMs: breaker.number("coolDownMs", 1000, { min: 1 }),
      },
      now: options.function<() => number>("now") ?? monotonicMs,
    };
  });
}

/** No timer waits for these times, so any length is possible. */
function readCache(cache: OptionReader): CacheSettings {
  const ttlMs = cache.number("ttlMs", 300_000);
  return {
    maxEntries: cache.integer("maxEntries", 10_000, { max: 10_000_000 }),
    ttlMs,
    riskyTtlMs: Math.min(ttlMs, cache.number("riskyTtlMs", 60_000)),
    staleMs: cache.number("staleMs", 3_600_000),
    failureTtlMs: cache.number("failureTtlMs", 1000),
  };
}
