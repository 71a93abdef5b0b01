import { setTimeout as pause } from "node:timers/promises";
import type { CacheStore } from "@riskgate/core";
import type { ErrorHook } from "@riskgate/core/internal";
import type { RedisClient } from "./client.js";
import { openStore } from "./open-store.js";

export interface RedisCacheOptions {
  /** Prefix of every key; default `riskgate:cache:`. */
  readonly prefix?: string;
  /** Milliseconds for one command, default 100; after that the lookup continues without Redis. */
  readonly timeoutMs?: number;
  /**
   * Single flight across processes: how long a lookup waits for a response that another process is
   * fetching, in milliseconds; default 0, not at all. A good value is the duration of one lookup at
   * the service, and less than the gate's `budgetMs`.
   */
  readonly flightMs?: number;
  /** Receives errors that make Redis unhealthy; by default a warning every 10 seconds. */
  readonly onError?: ErrorHook;
}

/** Larger than any assessment; bigger values are not fetched completely. */
const MAX_VALUE_BYTES = 512 * 1024;

const POLL_MS = 10;

/**
 * Creates a cache of assessments in Redis, shared by all processes that use it, for a client's
 * option `cache.store`. While Redis is unhealthy, no lookup waits for it.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an invalid option or client.
 */
export function createRedisCache(redis: RedisClient, options: RedisCacheOptions = {}): CacheStore {
  const { send, server, prefix, timeoutMs, flightMs } = openStore(
    ["createRedisCache", "cache", "riskgate:cache:", 100],
    redis,
    options,
    (given) => ({ flightMs: given.durationMs("flightMs", 0, { min: 0 }) }),
  );
  const leaseOf = (name: string): string => `${name}:flight`;

  const read = async (name: string): Promise<string | undefined> => {
    const text = await server.run(() =>
      send("GETRANGE", name, "0", String(MAX_VALUE_BYTES - 1)).catch(orMiss),
    );
    return typeof text === "string" && text !== "" ? text : undefined;
  };

  const lead = async (name: string): Promise<boolean> =>
    (await server.run(() =>
      send("SET", leaseOf(name), "1", "NX", "PX", String(Math.ceil(flightMs))),
    )) !== null;

  const follow = async (name: string): Promise<string | undefined> => {
    const endMs = performance.now() + flightMs;
    while (performance.now() < endMs) {
      await pause(POLL_MS, undefined, { ref: false });
      const text = await read(name);
      if (text !== undefined) return text;
    }
    return undefined;
  };

  return {
    readTimeoutMs: timeoutMs + flightMs,
    async get(key) {
      const name = prefix + key;
      const text = await read(name);
      if (text !== undefined || flightMs === 0) return text;
      // A result may have arrived meanwhile: a process stores its result before releasing the lead.
      const [leads, late] = await Promise.all([lead(name), read(name)]);
      return leads || late !== undefined ? late : follow(name);
    },
    async set(key, value, ttlMs) {
      const name = prefix + key;
      await server.run(async () => {
        const stored = send("SET", name, value, "PX", String(ttlMs));
        // No longer needed; it would also expire automatically.
        if (flightMs > 0) await Promise.all([stored, send("DEL", leaseOf(name))]);
        else await stored;
      });
    },
  };
}

/** A key of a different type is not ours, and not a Redis failure: the next result replaces it. */
function orMiss(error: unknown): undefined {
  if (error instanceof Error && error.message.startsWith("WRONGTYPE")) return undefined;
  throw error;
}
