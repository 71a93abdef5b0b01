import { monotonicMs } from "../base/clock.js";
import { readOptions } from "../base/options.js";

/** A block, or the end of one, as a store holds it. */
export interface StoredBlock {
  /**
   * A network in CIDR notation, or `@` and the normal form of a mailbox, or `#` and the digest that
   * the store's `digestOf` returns for it.
   */
  readonly target: string;
  /** Remaining duration by the clock of the store, in milliseconds; 0 if the block has ended. */
  readonly forMs: number;
}

/** A change of a block by this process. */
export interface BlockChange extends StoredBlock {
  /**
   * When a security response was made, in epoch milliseconds. Of two about one target, the later one
   * stays, because deliveries that are repeated arrive in any order. Absent for a change that
   * applies in any case.
   */
  readonly decidedMs?: number | undefined;
}

export interface BlockChanges {
  /** Passed to the next call. */
  readonly cursor: string;
  /** True if `blocks` are all blocks in force, so that all others have ended. */
  readonly isComplete: boolean;
  readonly blocks: readonly StoredBlock[];
}

/** Blocks that processes share, for the option `store` of `createBlockList`. */
export interface BlockStore {
  /** Pause between two calls of `changes`, in milliseconds. */
  readonly everyMs: number;
  /**
   * Returns the changes since a cursor, or all blocks in force without one. May wait until there are
   * changes; `signal` ends that.
   */
  readonly changes: (cursor: string | undefined, signal: AbortSignal) => Promise<BlockChanges>;
  /**
   * Stores changes, and reports what is in force for each target by `changes`, even if it was decided
   * later. An ended block is remembered for a day. Absent if only others can change the list.
   */
  readonly save?: (changes: readonly BlockChange[]) => Promise<void>;
  /** Returns the digest under which the store holds a mailbox in normal form. */
  readonly digestOf?: (mailbox: string) => string;
}

export interface MemoryBlockStoreOptions {
  /** Pause between two reads by a block list, in milliseconds; default 500. */
  readonly everyMs?: number;
  /** Maximum number of entries; the oldest is evicted. Default 100,000. */
  readonly maxEntries?: number;
  /** Monotonic clock in milliseconds, for tests. */
  readonly now?: () => number;
}

/**
 * Creates a store in memory, which shares blocks between the block lists of one process.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an invalid option.
 */
export function createMemoryBlockStore(options: MemoryBlockStoreOptions = {}): BlockStore {
  const { everyMs, maxEntries, now } = readOptions("createMemoryBlockStore", options, (reader) => ({
    everyMs: reader.durationMs("everyMs", 500),
    maxEntries: reader.integer("maxEntries", 100_000),
    now: reader.function<() => number>("now") ?? monotonicMs,
  }));
  /** In the order of the changes. */
  const entries = new Map<
    string,
    { readonly seq: number; readonly untilMs: number; readonly decidedMs: number }
  >();
  let seq = 0;
  return {
    everyMs,
    async changes(cursor) {
      const since = cursor === undefined ? 0 : Number(cursor);
      const changed = [...entries].filter(([, entry]) => entry.seq > since);
      const blocks = changed.map(([target, { untilMs }]) => {
        return { target, forMs: Math.max(0, untilMs - now()) };
      });
      return { cursor: String(seq), isComplete: cursor === undefined, blocks };
    },
    async save(changes) {
      for (const { target, forMs, decidedMs } of changes) {
        const known = entries.get(target);
        const knownMs = known?.decidedMs ?? 0;
        const isOld = decidedMs !== undefined && decidedMs < knownMs;
        entries.delete(target);
        entries.set(target, {
          seq: ++seq,
          untilMs: known && isOld ? known.untilMs : now() + forMs,
          decidedMs: Math.max(decidedMs ?? Date.now(), knownMs),
        });
      }
      for (const [target] of entries) {
        if (entries.size <= maxEntries) break;
        entries.delete(target);
      }
    },
  };
}
