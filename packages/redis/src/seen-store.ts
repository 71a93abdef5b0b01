import { randomUUID } from "node:crypto";
import { RiskGateError, type SeenStore } from "@riskgate/core";
import type { Reservation } from "@riskgate/core/payloads";
import { readOptions } from "@riskgate/core/adapter";
import { createErrorReport, type ErrorHook, GuardedServer } from "@riskgate/core/internal";
import { connectionOf, type RedisClient } from "./client.js";

/** Options of {@link createRedisSeenStore}. */
export interface RedisSeenStoreOptions {
  /**
   * Begins every key; default `{riskgate}:seen:`, whose braces keep a cluster from spreading the keys
   * of one call. Applications that share a Redis and receive the same payloads need different ones.
   */
  readonly prefix?: string;
  /** How long a handled payload is remembered, in milliseconds; default 24 hours. */
  readonly ttlMs?: number;
  /** How long a reservation holds without commit or release, in milliseconds; default 1 minute. */
  readonly reservationMs?: number;
  /** Time for one call, in milliseconds; default 2,000. */
  readonly timeoutMs?: number;
  /** Receives what made Redis unhealthy; by default a warning every 10 seconds. */
  readonly onError?: ErrorHook;
}

const DONE = "done";

/** One script for all keys: one round trip, and nothing comes between the look and the reservation. */
const RESERVE = `
local answers = {}
for index, key in ipairs(KEYS) do
  local known = redis.call("SET", key, ARGV[1], "NX", "GET", "PX", ARGV[2])
  if not known then answers[index] = 0
  elseif known == "${DONE}" then answers[index] = 1
  else answers[index] = 2 end
end
return answers`;

const COMMIT = `
for _, key in ipairs(KEYS) do redis.call("SET", key, "${DONE}", "PX", ARGV[1]) end
return 1`;

/** What another process has reserved or committed since then stays. */
const RELEASE = `
for _, key in ipairs(KEYS) do
  if redis.call("GET", key) == ARGV[1] then redis.call("DEL", key) end
end
return 1`;

const RESERVATIONS: readonly Reservation[] = ["new", "done", "busy"];

/** Keys of one call, so that a script never keeps Redis from other work for long. */
const MAX_KEYS = 1_000;

/**
 * Remembers handled payloads in Redis, for all processes behind one webhook: the option `seen`.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option or client.
 */
export function createRedisSeenStore(
  redis: RedisClient,
  options: RedisSeenStoreOptions = {},
): SeenStore {
  const { send } = connectionOf("createRedisSeenStore", redis);
  const { prefix, ttlMs, reservationMs, timeoutMs, report } = readOptions(
    "createRedisSeenStore",
    options,
    (given) => ({
      prefix: given.string("prefix") ?? "{riskgate}:seen:",
      ttlMs: Math.ceil(given.durationMs("ttlMs", 24 * 3_600_000)),
      reservationMs: Math.ceil(given.durationMs("reservationMs", 60_000)),
      timeoutMs: given.durationMs("timeoutMs", 2_000),
      report: createErrorReport(given.function<ErrorHook>("onError")),
    }),
  );
  const server = new GuardedServer({
    name: "Redis",
    timeoutMs,
    waitMs: Math.min(timeoutMs, 500),
    ping: () => send("PING"),
    onDown: (cause) =>
      report(new RiskGateError("STORE_FAILED", "the seen store failed", { cause })),
  });
  const holder = randomUUID();

  const evaluate = async (
    script: string,
    keys: readonly string[],
    ...args: string[]
  ): Promise<unknown[]> => {
    const answers: unknown[] = [];
    for (let at = 0; at < keys.length; at += MAX_KEYS) {
      const names = keys.slice(at, at + MAX_KEYS).map((key) => prefix + key);
      const answer = await server.run(() =>
        send("EVAL", script, String(names.length), ...names, ...args),
      );
      if (Array.isArray(answer)) answers.push(...(answer as unknown[]));
    }
    return answers;
  };

  return {
    async reserve(keys) {
      const answers = await evaluate(RESERVE, keys, holder, String(reservationMs));
      return answers.map((answer) => RESERVATIONS[Number(answer)] ?? "busy");
    },
    async commit(keys) {
      await evaluate(COMMIT, keys, String(ttlMs));
    },
    async release(keys) {
      await evaluate(RELEASE, keys, holder);
    },
  };
}
