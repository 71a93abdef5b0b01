import type { BlockStore } from "@riskgate/core/blocks";
import { type ErrorHook, readDigest } from "@riskgate/core/internal";
import type { RedisClient } from "./client.js";
import { openKeptStore } from "./kept-store.js";

export interface RedisBlockStoreOptions {
  /** Prefix of all keys; default `{riskgate}:blocks:`. */
  readonly prefix?: string;
  /**
   * Key for the digests of accounts: at least 32 bytes, the same in all processes. Without it,
   * anybody who can read Redis can test whether it blocks an account.
   */
  readonly secret?: string | Uint8Array;
  /** Pause between two reads by each process, in milliseconds; default 500. */
  readonly everyMs?: number;
  /** Milliseconds for one command, default 2,000; after that the last known list stays. */
  readonly timeoutMs?: number;
  /** Receives errors that make Redis unhealthy; by default a warning every 10 seconds. */
  readonly onError?: ErrorHook;
}

/**
 * Time for which an ended block is kept, in milliseconds, so that all processes learn of the end, and
 * an earlier response that arrives later does not begin it again.
 */
const KEPT_MS = 86_400_000;

/** A process that has read nothing for longer reads all blocks again. */
const MAX_AGE_MS = KEPT_MS / 2;

const MAX_AT_ONCE = 500;

const NOW = `
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * KEYS: the latest change of each target, the end of each block, the number of changes, and when the
 * block or its end was decided.
 */
const SAVE = `${NOW}
for i = 1, #ARGV, 3 do
  local target = ARGV[i]
  local known = tonumber(redis.call("HGET", KEYS[4], target) or "0")
  local decided = tonumber(ARGV[i + 2])
  redis.call("ZADD", KEYS[1], redis.call("INCR", KEYS[3]), target)
  if decided == nil or decided >= known then
    redis.call("ZADD", KEYS[2], now + tonumber(ARGV[i + 1]), target)
    redis.call("HSET", KEYS[4], target, string.format("%d", math.max(decided or now, known)))
  end
end
local old = redis.call("ZRANGEBYSCORE", KEYS[2], "-inf", now - ${KEPT_MS}, "LIMIT", 0, 1000)
for _, target in ipairs(old) do
  redis.call("ZREM", KEYS[1], target)
  redis.call("ZREM", KEYS[2], target)
  redis.call("HDEL", KEYS[4], target)
end
local last = redis.call("ZREVRANGE", KEYS[2], 0, 0, "WITHSCORES")
for _, key in ipairs(KEYS) do
  redis.call("PEXPIREAT", key, string.format("%d", math.max(tonumber(last[2]), now) + ${KEPT_MS}))
end`;

/** ARGV: the number of changes that are known, -1 for none, and when it was read. */
const READ = `${NOW}
local count = tonumber(redis.call("GET", KEYS[3]) or "0")
local known = tonumber(ARGV[1])
local isComplete = known < 0 or known > count or now - tonumber(ARGV[2]) > ${MAX_AGE_MS}
local found
if isComplete then found = redis.call("ZRANGEBYSCORE", KEYS[2], "(" .. string.format("%d", now), "+inf")
else found = redis.call("ZRANGEBYSCORE", KEYS[1], "(" .. ARGV[1], "+inf") end
local answer = { count, now, isComplete and 1 or 0 }
for _, target in ipairs(found) do
  local untilMs = tonumber(redis.call("ZSCORE", KEYS[2], target) or "0")
  answer[#answer + 1] = target
  answer[#answer + 1] = math.max(0, untilMs - now)
end
return answer`;

/**
 * Creates a store of blocks in Redis, shared by all processes behind a route, for the option `store`
 * of `createBlockList`. Accounts are stored as digests. A Redis that may evict keys is refused:
 * `onError` receives CONFIG_INVALID, and `ready` rejects.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an invalid option or client.
 */
export function createRedisBlockStore(
  redis: RedisClient,
  options: RedisBlockStoreOptions = {},
): BlockStore & { ready(): Promise<void> } {
  const { send, server, prefix, ready, digest, everyMs } = openKeptStore(
    ["createRedisBlockStore", "block store", "{riskgate}:blocks:", 2_000],
    redis,
    options,
    { things: "blocks", dropped: "blocks, which would end too early" },
    (given) => ({
      digest: readDigest(given),
      everyMs: given.durationMs("everyMs", 500, { min: 10 }),
    }),
  );
  const keys = ["changes", "ends", "count", "decided"].map((name) => prefix + name);
  const run = async (script: string, values: readonly string[]): Promise<unknown> => {
    await ready();
    return server.run(() => send("EVAL", script, String(keys.length), ...keys, ...values));
  };
  return {
    everyMs,
    ready,
    digestOf: (mailbox) => digest(`mailbox ${mailbox}`),
    async changes(cursor) {
      const [known = "-1", readMs = "0"] = cursor?.split(" ") ?? [];
      const found = (await run(READ, [known, readMs])) as readonly unknown[];
      const [count, nowMs, isComplete, ...rest] = found;
      const blocks = Array.from({ length: rest.length / 2 }, (_, index) => ({
        target: String(rest[2 * index]),
        forMs: Number(rest[2 * index + 1]),
      }));
      return {
        cursor: `${String(count)} ${String(nowMs)}`,
        isComplete: Number(isComplete) === 1,
        blocks,
      };
    },
    async save(changes) {
      for (let from = 0; from < changes.length; from += MAX_AT_ONCE) {
        const part = changes.slice(from, from + MAX_AT_ONCE);
        await run(
          SAVE,
          part.flatMap(({ target, forMs, decidedMs = "" }) => [
            target,
            String(Math.ceil(forMs)),
            String(decidedMs),
          ]),
        );
      }
    },
  };
}
