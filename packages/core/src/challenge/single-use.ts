import type { Awaitable } from "../model/awaitable.js";
import { CLOCK_SKEW_MS, type ValidToken } from "./challenge-token.js";

/**
 * Remembers which challenge tokens were used, until they expire. The number of tokens is limited
 * for each client network, so that no client can fill the store.
 */
export interface SingleUseStore {
  /** A store that may drop a token before `ttlMs` would accept it twice, and is refused. */
  readonly evicts: false;
  /**
   * Atomically remembers a token for `ttlMs`. Returns `used` if it is known, and `full` if its
   * network has `maxUnsolved` tokens that were not solved or `maxTotal` tokens.
   */
  use(token: {
    readonly nonce: string;
    /** Keyed digest of the client's network. */
    readonly network: string;
    readonly ttlMs: number;
    readonly maxUnsolved: number;
    readonly maxTotal: number;
  }): Awaitable<"new" | "used" | "full">;
  /** Marks a used token as solved: it stays used and no longer counts as unsolved. */
  solve(token: { readonly nonce: string; readonly network: string }): Awaitable<void>;
}

/** The unsolved tokens of all 256 networks of an IPv4 /24 fill half of the memory store. */
const MAX_UNSOLVED = 200;

/** Solved ones as well. */
const MAX_TOTAL = 5_000;

/** Maximum number of remembered tokens, about 20 MB. */
const MAX_ENTRIES = 100_000;

/**
 * Part of the space that other networks leave free which a network may fill, so that no number of
 * networks fills the store: 20 of them share half of it, 500 of them 96 %.
 */
const MAX_SHARE = MAX_TOTAL / MAX_ENTRIES;

const SWEEP_INTERVAL_MS = 1_000;

export interface MemoryUsesOptions {
  readonly maxEntries?: number;
  /** Time of day in milliseconds, for tests. */
  readonly now?: () => number;
}

/**
 * Remembers used tokens in this process. The fuller the store, the fewer tokens it accepts from each
 * network. A full store throws: if it evicted a token, that token could be used again.
 */
export function createMemoryUses(options: MemoryUsesOptions = {}): SingleUseStore {
  const { maxEntries = MAX_ENTRIES, now = Date.now } = options;
  /** Expiry times by network and nonce, and the nonces of unsolved tokens. */
  const networks = new Map<string, [all: Map<string, number>, unsolved: Set<string>]>();
  let size = 0;
  let sweptMs = 0;

  const sweep = (): void => {
    sweptMs = now();
    for (const [network, [all, unsolved]] of networks) {
      for (const [nonce, endMs] of all) {
        if (endMs <= sweptMs && all.delete(nonce) && size--) unsolved.delete(nonce);
      }
      if (!all.size) networks.delete(network);
    }
  };
  return {
    evicts: false,
    use({ nonce, network, ttlMs, maxUnsolved, maxTotal }) {
      if (now() - sweptMs >= SWEEP_INTERVAL_MS) sweep();
      const [all, unsolved] = networks.get(network) ?? [new Map<string, number>(), new Set()];
      if (all.has(nonce)) return "used";
      if (size >= maxEntries) throw new RangeError("too many challenge tokens in use");
      const most = Math.min(maxTotal, (maxEntries - (size - all.size)) * MAX_SHARE);
      if (unsolved.size >= maxUnsolved || all.size >= most) return "full";
      networks.set(network, [all.set(nonce, now() + ttlMs), unsolved.add(nonce)]);
      size++;
      return "new";
    },
    solve({ nonce, network }) {
      networks.get(network)?.[1].delete(nonce);
    },
  };
}

/**
 * Uses up a token: `new` for exactly one of all concurrent callers.
 *
 * @throws The store's error; a TypeError if the store returns an unusable value.
 */
export async function useUp(
  store: SingleUseStore,
  token: ValidToken,
): Promise<"new" | "used" | "full"> {
  // Servers whose clock is behind accept the token for longer.
  const ttlMs = Math.ceil(token.leftMs + CLOCK_SKEW_MS);
  const limits = { maxUnsolved: MAX_UNSOLVED, maxTotal: MAX_TOTAL };
  const answer: unknown = await store.use({ ...token, ttlMs, ...limits });
  if (answer === "new" || answer === "used" || answer === "full") return answer;
  throw new TypeError('expected "new", "used" or "full"');
}
