import type { SingleUseStore } from "@riskgate/core";
import type { ErrorHook } from "@riskgate/core/internal";
import type { RedisClient } from "./client.js";
import { openKeptStore } from "./kept-store.js";

export interface RedisSingleUseStoreOptions {
  /** Prefix of every key; default `{riskgate}:challenge:`, whose braces select one cluster slot. */
  readonly prefix?: string;
  /** Time limit for one call, in milliseconds; default 500. */
  readonly timeoutMs?: number;
  /** Receives errors that make Redis unhealthy; by default a warning every 10 seconds. */
  readonly onError?: ErrorHook;
}

/** Two sorted sets for each network, by expiry: all of its tokens, and the unsolved ones. */
const USE = `
local time = redis.call("TIME")
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
for _, key in ipairs(KEYS) do redis.call("ZREMRANGEBYSCORE", key, "-inf", now) end
if redis.call("ZSCORE", KEYS[1], ARGV[1]) then return "used" end
for index, key in ipairs(KEYS) do
  if redis.call("ZCARD", key) >= tonumber(ARGV[2 + index]) then return "full" end
end
for _, key in ipairs(KEYS) do
  redis.call("ZADD", key, now + ARGV[2], ARGV[1])
  if redis.call("PTTL", key) < tonumber(ARGV[2]) then redis.call("PEXPIRE", key, ARGV[2]) end
end
return "new"`;

/**
 * Creates a store of used challenge tokens in Redis, shared by all processes behind a route, for
 * the option `challenge.seen`. A Redis that may evict keys is refused: `onError` receives
 * CONFIG_INVALID, `ready` rejects, and no token is accepted.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an invalid option or client.
 */
export function createRedisSingleUseStore(
  redis: RedisClient,
  options: RedisSingleUseStoreOptions = {},
): SingleUseStore & { ready(): Promise<void> } {
  const { send, server, prefix, ready } = openKeptStore(
    ["createRedisSingleUseStore", "challenge token store", "{riskgate}:challenge:", 500],
    redis,
    options,
    { things: "challenge tokens", dropped: "used challenge tokens, which could be used again" },
  );
  const unsolved = (network: string): string => `${prefix}${network}:unsolved`;

  return {
    evicts: false,
    ready,
    async use({ nonce, network, ttlMs, maxUnsolved, maxTotal }) {
      await ready();
      const keys = [prefix + network, unsolved(network)];
      const values = [nonce, String(ttlMs), String(maxTotal), String(maxUnsolved)];
      const answer = await server.run(() => send("EVAL", USE, "2", ...keys, ...values));
      return answer as "new" | "used" | "full";
    },
    async solve({ nonce, network }) {
      await server.run(() => send("ZREM", unsolved(network), nonce));
    },
  };
}
