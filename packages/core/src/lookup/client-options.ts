import type { BreakerSettings } from "./lookup-breaker.js";
import type { CacheSettings } from "./cache.js";
import type { CacheStore } from "./cache-store.js";
import { monotonicMs } from "../base/clock.js";
import { type OptionReader, readOptions } from "../base/options.js";
import { readConnection, readKey, type ServiceConnection } from "./service-address.js";

/** Options for {@link createRiskClient}. Only own properties are read, once. */
export interface RiskClientOptions {
  /** URL of the service, with an optional path before `/v1`. */
  baseUrl: string;
  /** Sent as `X-API-Key` to this service only. Visible ASCII. */
  apiKey: string;
  /** Deadline for queueing, connecting, headers, body and retry, in milliseconds; default 2,000. */
  timeoutMs?: number;
  /**
   * Retries after a connection error, 429, 502, 503 or 504. Default 1. A request that the service
   * did not read because it was closing the connection is always sent again.
   */
  retries?: 0 | 1;
  /** Maximum number of concurrent requests; further lookups wait in order. Default 64. */
  maxConnections?: number;
  /** Cache settings; `false` for none. */
  cache?: CacheOptions | false;
  /** When calls stop because the service fails or requests a pause; `false` for never. */
  breaker?: BreakerOptions | false;
  /** Sends requests instead of the built-in connection pool, which is several times as fast. */
  fetch?: typeof fetch;
  /** PEM text of certificate authorities to trust instead of the defaults. Not with `fetch`. */
  ca?: string;
  /** Allow plain `http:` URLs for other machines. Default false. */
  allowInsecureHttp?: boolean;
  /** Monotonic clock for the cache, in milliseconds. Default `performance.now`. */
  now?: () => number;
}

/** How long assessments are cached; times are in milliseconds. */
export interface CacheOptions {
  /** Maximum entries per identifier type; the least recently used is evicted. Default 10,000. */
  maxEntries?: number;
  /** Default 300,000; 0 caches nothing. */
  ttlMs?: number;
  /** For scores above 40, which may soon be lowered. Default 60,000, at most `ttlMs`. */
  riskyTtlMs?: number;
  /** How long a stale answer may be used while live calls fail. Default 3,600,000. */
  staleMs?: number;
  /**
   * Milliseconds after a failed call in which the client reuses its stale answer, or else its error,
   * instead of calling again. Default 1,000; 0 for never.
   */
  failureTtlMs?: number;
  store?: CacheStore;
}

/** When calls to a failing service stop. */
export interface BreakerOptions {
  /** Consecutive failed calls after which lookups fail immediately. Default 10. */
  failures?: number;
  /** Interval between trial calls while the service fails, in milliseconds. Default 1,000. */
  coolDownMs?: number;
}

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
 * Reads the options for {@link createRiskClient}.
 * @throws {RiskGateError} CONFIG_INVALID, which never shows the API key.
 */
export function readClientOptions(given: unknown): ClientSettings {
  return readOptions("createRiskClient", given, (options) => {
    const cache = options.group("cache");
    const breaker = options.group("breaker");
    return {
      ...readConnection(options, 2000),
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

/** No timer is set to these times, so they can be of any length. */
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
