import type { Part } from "../base/part-list.js";
import { ALL_PARTITIONS, PARTITIONS, partitionOf } from "../model/log-entry.js";
import { randomId } from "../model/random-id.js";
import { repeat } from "../base/repeat.js";
import type { Partitions } from "../storage/log-store.js";

/** The partitions whose applications this process evaluates and delivers. */
export interface Ownership extends Part {
  /** Returns true if this process, and no other, works for an application now. */
  holds(this: void, applicationId: string): boolean;
  partitions(this: void): readonly number[];
  /** Registers work that must end before partitions are given back. */
  onRelease(finish: () => Promise<void>): void;
  /** Registers a listener that is called after partitions were added. */
  onTaken(listener: () => void): void;
}

/** The ownership of a process that is alone. */
export const WHOLE: Pick<Ownership, "holds" | "partitions" | "onRelease" | "onTaken"> = {
  holds: () => true,
  partitions: () => ALL_PARTITIONS,
  onRelease() {},
  onTaken() {},
};

export interface OwnershipParts {
  readonly partitions: Partitions;
  /** Monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  readonly onError: (error: unknown) => void;
}

/** How long a lease lasts: after this time without a sign of its owner, others take over. */
const LEASE_MS = 3_000;
const RENEW_MS = 1_000;

/**
 * Creates the ownership. Each second it renews the leases of this process, takes free partitions up to
 * its share, and gives back what exceeds the share. On SQLite this process owns everything.
 */
export function createOwnership(parts: OwnershipParts): Ownership {
  return parts.partitions.isShared ? ownShare(parts) : ownEverything();
}

function ownEverything(): Ownership {
  const taken: (() => void)[] = [];
  return {
    ...WHOLE,
    onTaken: (listener) => void taken.push(listener),
    start: async () => taken.forEach((listener) => listener()),
    close: () => Promise.resolve(),
  };
}

function ownShare(parts: OwnershipParts): Ownership {
  const { partitions, nowMs, onError } = parts;
  const id = randomId();
  const taken: (() => void)[] = [];
  const finishing: (() => Promise<void>)[] = [];
  let owned = new Map<number, number>();
  /** Partitions that are about to be given back. */
  const leaving = new Set<number>();
  /** Whether the work for these has ended. */
  let hasFinished = false;
  let isClosing = false;
  /** Time by the monotonic clock after which the leases may have ended. */
  let untilMs = 0;

  const holdsPartition = (partition: number): boolean =>
    !isClosing && owned.has(partition) && !leaving.has(partition) && nowMs() < untilMs;

  const renew = async (): Promise<number> => {
    // Counted from before the request, so that it never ends later here than in the database.
    const startMs = nowMs();
    const { owned: now, members } = await partitions.renew(id, LEASE_MS);
    // What was due while the leases had ended was not done, even if nobody else has taken them.
    const isNew =
      startMs >= untilMs || [...now].some(([partition, epoch]) => owned.get(partition) !== epoch);
    owned = new Map(now);
    untilMs = startMs + LEASE_MS;
    if (isNew) for (const listener of taken) listener();
    return Math.ceil(PARTITIONS / members);
  };
  /** Ends the work for partitions, while their leases are renewed: it can take longer than a lease. */
  const beginLeaving = async (surplus: readonly number[]): Promise<void> => {
    for (const partition of surplus) leaving.add(partition);
    try {
      for (const finish of finishing) await finish();
      hasFinished = true;
      renewing.now();
    } catch (error) {
      leaving.clear();
      onError(error);
    }
  };
  const giveBack = async (): Promise<void> => {
    await partitions.release(id, [...leaving]);
    for (const partition of leaving) owned.delete(partition);
    leaving.clear();
    hasFinished = false;
  };
  const balance = async (): Promise<void> => {
    // Never beside a renewal, whose answer could still contain what is given back.
    if (hasFinished) await giveBack();
    const share = await renew();
    if (isClosing) return;
    if (owned.size < share) {
      await partitions.take(id, share - owned.size, LEASE_MS);
      await renew();
    } else if (owned.size > share && leaving.size === 0) {
      void beginLeaving([...owned.keys()].slice(share));
    }
  };

  const renewing = repeat(RENEW_MS, balance, onError);
  return {
    holds: (applicationId) => holdsPartition(partitionOf(applicationId)),
    partitions: () => [...owned.keys()].filter(holdsPartition),
    onRelease: (finish) => void finishing.push(finish),
    onTaken: (listener) => void taken.push(listener),
    start: balance,
    async close() {
      isClosing = true;
      for (const finish of finishing) await finish().catch(onError);
      await renewing.stop();
      // The others take over at once, instead of when the leases end.
      await partitions.leave(id).catch(() => {});
    },
  };
}
