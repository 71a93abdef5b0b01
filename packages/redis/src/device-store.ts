import type { DeviceStore } from "@riskgate/core/device";
import type { ErrorHook } from "@riskgate/core/internal";
import type { RedisClient } from "./client.js";
import { openKeptStore } from "./kept-store.js";

export interface RedisDeviceStoreOptions {
  /** Prefix of every key; default `{riskgate}:device:`, whose braces select one cluster slot. */
  readonly prefix?: string;
  /** Time limit for one call, in milliseconds; default 200. */
  readonly timeoutMs?: number;
  /** Receives errors that make Redis unhealthy; by default a warning every 10 seconds. */
  readonly onError?: ErrorHook;
}

const USE = `
local tries = redis.call("INCR", KEYS[1])
if tries == 1 then redis.call("PEXPIRE", KEYS[1], ARGV[1]) end
return { tries, redis.call("GET", KEYS[2]) or "0" }`;

const GIVE_BACK = `
local tries = tonumber(redis.call("GET", KEYS[1]) or "0")
if tries > 1 then redis.call("DECR", KEYS[1]) else redis.call("DEL", KEYS[1]) end`;

/**
 * Creates a store of devices in Redis, shared by all processes behind a route, for the option
 * `store` of `createDevices`. A Redis that may evict keys is refused: `onError` receives
 * CONFIG_INVALID, `ready` rejects, and every device counts as new.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an invalid option or client.
 */
export function createRedisDeviceStore(
  redis: RedisClient,
  options: RedisDeviceStoreOptions = {},
): DeviceStore & { ready(): Promise<void> } {
  const { send, server, prefix, ready } = openKeptStore(
    ["createRedisDeviceStore", "device store", "{riskgate}:device:", 200],
    redis,
    options,
    { things: "devices", dropped: "cleared and revoked devices, which would be known again" },
  );
  const run = async (...command: Parameters<typeof send>): Promise<unknown> => {
    await ready();
    return server.run(() => send(...command));
  };
  return {
    evicts: false,
    ready,
    async use({ device, account, ttlMs }) {
      const keys = [`${prefix}tries:${device}`, `${prefix}from:${account}`];
      const found = await run("EVAL", USE, "2", ...keys, String(Math.ceil(ttlMs)));
      const [tries, validFromMs] = found as readonly unknown[];
      return { tries: Number(tries), validFromMs: Number(validFromMs) };
    },
    async giveBack(device) {
      await run("EVAL", GIVE_BACK, "1", `${prefix}tries:${device}`);
    },
    async clear(account, validFromMs, ttlMs) {
      const value = String(Math.ceil(validFromMs));
      await run("SET", `${prefix}from:${account}`, value, "PX", String(Math.ceil(ttlMs)));
    },
  };
}
