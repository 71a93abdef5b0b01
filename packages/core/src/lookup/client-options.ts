import type { BreakerSettings } from "./circuit-breaker.js";
import type { CacheSettings } from "./cache.js";
import type { CacheStore } from "./cache-store.js";
import { monotonicMs, recentMs } from "../base/clock.js";
import { normalizeIp } from "../address/ip-address.js";
import { OptionReader } from "../base/option-reader.js";

/** Options of {@link createRiskClient}. They are read once, own properties only. */
export interface RiskClientOptions {
  /** Address of the service, with an optional path before `/v1`. */
  baseUrl: string;
  /** Sent as `X-API-Key`, to this service only. Visible ASCII. */
  apiKey: string;
  /** One deadline over queueing, connecting, headers, body and retry. Default 2,000. */
  timeoutMs?: number;
  /** Second attempts after a connection error, 429, 502, 503 or 504. Default 1. */
  retries?: 0 | 1;
  /** Requests sent at the same time; further lookups wait in order. Default 64. */
  maxConnections?: number;
  /** What is remembered; `false` for nothing. */
  cache?: CacheOptions | false;
  /** When a failing service is left alone; `false` for never. */
  breaker?: BreakerOptions | false;
  /** Used for requests instead of the built-in connection pool, which is several times as fast. */
  fetch?: typeof fetch;
  /** PEM text of certificate authorities to trust instead of the usual ones. Not with `fetch`. */
  ca?: string;
  /** Accept plain `http:` to a host that is not this machine. Default false. */
  allowInsecureHttp?: boolean;
  /**
   * Monotonic clock in milliseconds. Default `performance.now`, of which a reading up to 10 ms old
   * serves to tell whether an answer is still good.
   */
  now?: () => number;
}

/** How long answers are remembered. */
export interface CacheOptions {
  /** For IP and for email addresses each; the least recently used gives way. Default 10,000. */
  maxEntries?: number;
  /** Default 300,000; 0 remembers nothing. */
  ttlMs?: number;
  /** For scores above 40, which can be cleared soon. Default 60,000, at most `ttlMs`. */
  riskyTtlMs?: number;
  /** How long past its time an answer may serve while the live call fails. Default 3,600,000. */
  staleMs?: number;
  /** How long after a failed call such an answer serves without another call. Default 1,000. */
  failureTtlMs?: number;
  /** Second level, shared by several processes. */
  store?: CacheStore;
}

/** When calls to a failing service stop. */
export interface BreakerOptions {
  /** Failed calls in a row after which lookups fail at once. Default 10. */
  failures?: number;
  /** How long until one call is tried again. Default 1,000. */
  coolDownMs?: number;
}

/** Options after reading. */
export interface ClientSettings {
  readonly origin: string;
  readonly basePath: string;
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly maxConnections: number;
  readonly cache: CacheSettings | undefined;
  readonly store: CacheStore | undefined;
  readonly breaker: BreakerSettings | undefined;
  readonly fetch: typeof fetch | undefined;
  readonly ca: string | undefined;
  readonly now: () => number;
  /** The same, perhaps as of a moment ago. */
  readonly recent: () => number;
}

/** Longest delay that a timer of Node can have. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Read and check the options of a client.
 *
 * @throws {RiskGateError} CONFIG_INVALID.
 */
export function readClientOptions(options: RiskClientOptions): ClientSettings {
  const reader = new OptionReader(options);
  const cache = reader.group("cache");
  const breaker = reader.group("breaker");
  const fetch = reader.function("fetch") as typeof globalThis.fetch | undefined;
  const ca = reader.string("ca");
  const now = reader.function("now") as (() => number) | undefined;
  if (ca !== undefined && fetch) reader.refuse("ca", "absent where `fetch` is given", ca);
  return {
    ...readBaseUrl(reader),
    apiKey: readApiKey(reader),
    timeoutMs: reader.number("timeoutMs", 2000, { min: 1, max: MAX_TIMER_MS }),
    retries: reader.number("retries", 1, { min: 0, max: 1, integer: true }),
    maxConnections: reader.number("maxConnections", 64, { min: 1, max: 65_535, integer: true }),
    cache: cache && readCache(cache),
    store: cache && readStore(cache),
    breaker: breaker && {
      failures: breaker.number("failures", 10, { min: 1, integer: true }),
      coolDownMs: breaker.number("coolDownMs", 1000, { min: 1 }),
    },
    fetch,
    ca,
    now: now ?? monotonicMs,
    recent: now ?? recentMs,
  };
}

function readApiKey(reader: OptionReader): string {
  const apiKey = reader.string("apiKey");
  if (apiKey !== undefined && /^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  return reader.refuse("apiKey", "one or more visible ASCII characters, without blanks", apiKey);
}

function readBaseUrl(reader: OptionReader): { origin: string; basePath: string } {
  const text = reader.string("baseUrl") ?? "";
  const refuse = (expected: string): never => reader.refuse("baseUrl", expected, text);

  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    return refuse("an absolute address that begins with https://");
  }
  if (url.username !== "" || url.password !== "") return refuse("without user and password");
  if (/[?#]/.test(text)) return refuse("without query and fragment");
  if (url.protocol === "http:" && !reader.boolean("allowInsecureHttp", false)) {
    if (!isLoopback(url.hostname)) return refuse("https:, or `allowInsecureHttp` set");
  }
  return { origin: url.origin, basePath: url.pathname.replace(/\/+$/, "") };
}

function isLoopback(hostname: string): boolean {
  if (hostname === "localhost" || hostname.endsWith(".localhost")) return true;
  const ip = normalizeIp(hostname.replace(/^\[|\]$/g, ""));
  return ip === "::1" || ip?.startsWith("127.") === true;
}

function readCache(reader: OptionReader): CacheSettings {
  const ttlMs = reader.number("ttlMs", 300_000, { min: 0 });
  return {
    maxEntries: reader.number("maxEntries", 10_000, { min: 1, max: 10_000_000, integer: true }),
    ttlMs,
    riskyTtlMs: Math.min(ttlMs, reader.number("riskyTtlMs", 60_000, { min: 0 })),
    staleMs: reader.number("staleMs", 3_600_000, { min: 0 }),
    failureTtlMs: reader.number("failureTtlMs", 1000, { min: 0 }),
  };
}

function readStore(reader: OptionReader): CacheStore | undefined {
  const store = reader.value("store");
  return store === undefined || isStore(store)
    ? store
    : reader.refuse("store", "an object with `get` and `set`", store);
}

function isStore(value: unknown): value is CacheStore {
  if (typeof value !== "object" || value === null) return false;
  const { get, set } = value as Partial<CacheStore>;
  return typeof get === "function" && typeof set === "function";
}
