import { readOptions } from "../base/options.js";
import { createLru } from "../base/platform.js";
import type { Awaitable } from "../model/awaitable.js";

/** A try with a device: both names are random or keyed, so that a store holds no personal data. */
export interface DeviceUse {
  readonly device: string;
  readonly account: string;
  /** How long the cookie is still valid, in milliseconds: the try is remembered as long. */
  readonly ttlMs: number;
}

/** Counts the tries of devices, and remembers which cookies of an account are no longer valid. */
export interface DeviceStore {
  /** A store that may drop what `clear` stored would accept a cleared cookie, and is refused. */
  readonly evicts: false;
  /** Counts a try atomically; returns all tries with this one, and 0 or the account's valid-from. */
  use(use: DeviceUse): Awaitable<{ readonly tries: number; readonly validFromMs: number }>;
  /** Takes one try of a device back. */
  giveBack(device: string): Awaitable<void>;
  /** Remembers for `ttlMs` that an account's cookies are valid from this time of day on. */
  clear(account: string, validFromMs: number, ttlMs: number): Awaitable<void>;
}

export interface MemoryDeviceStoreOptions {
  /**
   * Maximum number of devices with failed logins, and of cleared accounts; default 100,000 each,
   * about 30 MB. Beyond it, the least recently used device gets its tries back, and `clear` fails.
   */
  readonly maxEntries?: number;
  /** Time of day in milliseconds, for tests. */
  readonly now?: () => number;
}

interface Tries {
  count: number;
  readonly endMs: number;
}

/**
 * Remembers devices in this process. Several processes need a shared store, and so does an
 * application whose `clear` must outlast a restart.
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createMemoryDeviceStore(options: MemoryDeviceStoreOptions = {}): DeviceStore {
  const { max, now } = readOptions("createMemoryDeviceStore", options, (given) => ({
    max: given.integer("maxEntries", 100_000),
    now: given.function<() => number>("now") ?? Date.now,
  }));
  const devices = createLru<string, Tries>(max);
  const accounts = new Map<string, readonly [validFromMs: number, endMs: number]>();

  const makeRoom = (): void => {
    for (const [account, [, endMs]] of accounts) if (endMs <= now()) accounts.delete(account);
    if (accounts.size >= max) throw new RangeError("too many cleared accounts");
  };
  return {
    evicts: false,
    use({ device, account, ttlMs }) {
      const known = devices.get(device);
      const tries = known && known.endMs > now() ? known : { count: 0, endMs: now() + ttlMs };
      tries.count++;
      devices.set(device, tries);
      return { tries: tries.count, validFromMs: accounts.get(account)?.[0] ?? 0 };
    },
    giveBack(device) {
      const tries = devices.get(device);
      if (tries && --tries.count <= 0) devices.delete(device);
    },
    clear(account, validFromMs, ttlMs) {
      if (!accounts.has(account) && accounts.size >= max) makeRoom();
      accounts.set(account, [validFromMs, now() + ttlMs]);
    },
  };
}
