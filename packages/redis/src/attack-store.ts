import type { AttackStore, LoginCounts } from "@riskgate/core/attack";
import type { ErrorHook } from "@riskgate/core/internal";
import type { RedisClient } from "./client.js";
import { openStore } from "./open-store.js";

export interface RedisAttackStoreOptions {
  /** Prefix of every key; default `{riskgate}:attack:`, whose braces select one cluster slot. */
  readonly prefix?: string;
  /** Milliseconds for one call, default 100; after that the process uses its own counts. */
  readonly timeoutMs?: number;
  /** Receives errors that make Redis unhealthy; by default a warning every 10 seconds. */
  readonly onError?: ErrorHook;
}

const FIELDS = ["known", "fresh", "failed", "attacked"] as const;

/** The first key is the period that counts; the others are read afterwards. */
const COUNT = `
for index = 2, #ARGV, 2 do
  redis.call("HINCRBY", KEYS[1], ARGV[index], ARGV[index + 1])
end
if #ARGV > 1 and redis.call("PTTL", KEYS[1]) < 0 then redis.call("PEXPIRE", KEYS[1], ARGV[1]) end
local counts = {}
for index = 2, #KEYS do
  counts[#counts + 1] = redis.call("HMGET", KEYS[index], ${FIELDS.map((name) => `"${name}"`).join(", ")})
end
return counts`;

/**
 * Creates a store of login counts in Redis, shared by all processes behind a route, for the option
 * `store` of `createAttackMode`. It contains numbers only. While Redis is unhealthy, no request waits
 * for it, and each process uses its own counts.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an invalid option or client.
 */
export function createRedisAttackStore(
  redis: RedisClient,
  options: RedisAttackStoreOptions = {},
): AttackStore {
  const { send, server, prefix } = openStore(
    ["createRedisAttackStore", "attack store", "{riskgate}:attack:", 100],
    redis,
    options,
  );

  return {
    async count({ name, period, adds, reads, ttlMs }) {
      const keys = [period, ...reads].map((one) => `${prefix}${name}:${one}`);
      const added = Object.entries(adds).flatMap(([field, number]) => [field, String(number)]);
      const found = await server.run(() =>
        send("EVAL", COUNT, String(keys.length), ...keys, String(Math.ceil(ttlMs)), ...added),
      );
      return Array.isArray(found) ? found.map(countsOf) : [];
    },
  };
}

function countsOf(values: unknown): LoginCounts {
  const [known, fresh, failed, attacked] = (values as readonly unknown[]).map((one) => Number(one));
  return { known: known!, fresh: fresh!, failed: failed!, attacked: attacked! };
}
