import { randomUUID } from "node:crypto";
import type { SeenStore } from "@riskgate/core";
import type { Reservation } from "@riskgate/core/payloads";
import { type ErrorHook, GuardedServer } from "@riskgate/core/internal";
import type { RedisClient } from "./client.js";
import { openStore } from "./open-store.js";

export interface RedisSeenStoreOptions {
  /**
   * Prefix of every key; default `{riskgate}:seen:`, whose braces keep a call's keys in one cluster
   * slot. Applications that share Redis and receive the same payloads need different prefixes.
   */
  readonly prefix?: string;
  /** How long a handled payload is remembered, in milliseconds; default 24 hours. */
  readonly ttlMs?: number;
  /** How long a reservation lasts without commit or release, in milliseconds; default 1 minute. */
  readonly reservationMs?: number;
  /** Time limit for one call, in milliseconds; default 2,000. */
  readonly timeoutMs?: number;
  /** Receives errors that make Redis unhealthy; by default a warning every 10 seconds. */
  readonly onError?: ErrorHook;
}

const DONE = "done";

/** One script for all keys: a single round trip that checks and reserves atomically. */
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

/** Keys that another process has since reserved or committed are left alone. */
const RELEASE = `
for _, key in ipairs(KEYS) do
  if redis.call("GET", key) == ARGV[1] then redis.call("DEL", key) end
end
return 1`;

const RESERVATIONS: readonly Reservation[] = ["new", "done", "busy"];

/** Maximum keys per call, so that a script never blocks Redis for long. */
const MAX_KEYS = 1_000;

/**
 * Creates a store of handled payloads in Redis, shared by all processes behind a webhook, for the
 * option `seen`.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an invalid option or client.
 */
export function createRedisSeenStore(
  redis: RedisClient,
  options: RedisSeenStoreOptions = {},
): SeenStore {
  const { send, prefix, ttlMs, reservationMs, timeoutMs, onDown } = openStore(
    ["createRedisSeenStore", "seen store", "{riskgate}:seen:", 2_000],
    redis,
    options,
    (given) => ({
      ttlMs: Math.ceil(given.durationMs("ttlMs", 24 * 3_600_000)),
      reservationMs: Math.ceil(given.durationMs("reservationMs", 60_000)),
    }),
  );
  const waitMs = Math.min(timeoutMs, 500);
  const ping = async (): Promise<unknown> => send("PING");
  const server = new GuardedServer({ name: "Redis", timeoutMs, waitMs, ping, onDown });
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
