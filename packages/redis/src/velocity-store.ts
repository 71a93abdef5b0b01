import type { VelocityStore } from "@riskgate/core/velocity";
import { type ErrorHook, readDigest } from "@riskgate/core/internal";
import type { RedisClient } from "./client.js";
import { openStore } from "./open-store.js";

export interface RedisVelocityStoreOptions {
  /**
   * Prefix of every key; default `{riskgate}:velocity:`, whose braces keep a call's keys in one
   * cluster slot. Applications that share Redis but not their counts need different prefixes.
   */
  readonly prefix?: string;
  /**
   * Key for the digests in the names of keys: at least 32 bytes, the same in all processes. Without
   * it, anybody who can read Redis can test whether it counts an address. With another secret,
   * counts start at 0.
   */
  readonly secret?: string | Uint8Array;
  /** Milliseconds for one call, default 100; after that the process uses its own counts. */
  readonly timeoutMs?: number;
  /** Receives errors that make Redis unhealthy; by default a warning every 10 seconds. */
  readonly onError?: ErrorHook;
}

/**
 * One script for all counters: one round trip, on the clock of Redis, which all processes share. A
 * counter is a hash with one field for each period; only the last two count. With distinct texts,
 * the key of each counter is followed by a key that stores the period in which each text counts.
 */
const TALLY = `
local window, adds, first = tonumber(ARGV[1]), ARGV[2] == "1", 1
local distinct, takes = ARGV[4] ~= "0", ARGV[4] == "2"
local time = redis.call("TIME")
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local part = math.floor(now / window)
local covered = 1 - (now % window) / window
if ARGV[3] == "1" then
  first = 2
  adds = adds and redis.call("SET", KEYS[1], "1", "NX", "PX", window) ~= false
end
local counts = {}
for index = first, #KEYS, distinct and 2 or 1 do
  local key = KEYS[index]
  local isNew = adds
  if distinct and (adds or takes) then
    local mark = KEYS[index + 1]
    local known = tonumber(redis.call("GET", mark) or -1)
    isNew = adds and known ~= part
    if known >= part - 1 and (isNew or takes) then
      redis.call("DEL", mark)
      if tonumber(redis.call("HGET", key, known) or 0) > 0 then
        redis.call("HINCRBY", key, known, -1)
      end
    end
    if isNew then redis.call("SET", mark, part, "PX", 2 * window) end
  end
  if isNew then
    redis.call("HINCRBY", key, part, 1)
    -- After a pause of one part, the last but two remains as well.
    redis.call("HDEL", key, part - 2, part - 3)
    redis.call("PEXPIRE", key, 2 * window)
  end
  local found = redis.call("HMGET", key, part, part - 1)
  counts[#counts + 1] = tostring((found[1] or 0) + (found[2] or 0) * covered)
end
return counts`;

/**
 * Creates a store of counts in Redis, shared by all processes behind a route, for the option
 * `store` of `createVelocity`. Keys are digests. While Redis is unhealthy, no request waits for it,
 * and each process uses its own counts.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an invalid option or client.
 */
export function createRedisVelocityStore(
  redis: RedisClient,
  options: RedisVelocityStoreOptions = {},
): VelocityStore {
  const { send, server, prefix, digest } = openStore(
    ["createRedisVelocityStore", "velocity store", "{riskgate}:velocity:", 100],
    redis,
    options,
    (given) => ({ digest: readDigest(given) }),
  );
  const keyOf = (name: string): string => prefix + digest(name);

  return {
    async tally({ counters, windowMs, adds, once, distinct, takesBack }) {
      const keys = counters.flatMap((name) =>
        distinct === undefined
          ? [keyOf(name)]
          : [keyOf(name), keyOf(`in ${name.length} ${name}${distinct}`)],
      );
      if (once !== undefined) keys.unshift(keyOf(`once ${once}`));
      const isOnce = once === undefined ? "0" : "1";
      const counts = await server.run(() =>
        send(
          "EVAL",
          TALLY,
          String(keys.length),
          ...keys,
          String(Math.ceil(windowMs)),
          adds ? "1" : "0",
          isOnce,
          distinct === undefined ? "0" : takesBack ? "2" : "1",
        ),
      );
      return Array.isArray(counts) ? counts.map(Number) : [];
    },
  };
}
