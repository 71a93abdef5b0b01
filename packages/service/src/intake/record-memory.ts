import { WindowDraft } from "../detection/windows.js";
import type { WindowMemory } from "./window-memory.js";
import type { WindowBounds } from "../detection/window-bounds.js";
import { type Clock, type Instant, instantOf } from "../model/instant.js";
import type { LedgerEntry, Subject } from "../model/subject.js";
import type { Revisions } from "../storage/storage.js";
import type { Storage } from "../storage/storage.js";
import type { LedgerMemory } from "./ledger-memory.js";
import { type PendingEvents, readPendingEvents, type RestoreContext } from "./restore-event.js";

/**
 * This process's copy of the ledger and the windows. Other processes may have changed the database, so
 * the copy is updated under the writer lock before anything is added.
 */
export interface RecordMemory {
  isCurrent(revisions: Revisions): boolean;
  /**
   * Loads the changes since the last call, under the writer lock. Events with a pending scoring do not
   * count yet, unless this process has already counted them.
   *
   * @param isCounted Returns true if this process has counted the events of a scoring, given its `seq`.
   * @returns All pending scorings, and the events of those that do not count yet.
   */
  follow(storage: Storage, isCounted: (seq: number) => boolean): Promise<Followed>;
  /** Runs work in a transaction that also stores the window changes. */
  transaction<T>(
    storage: Storage,
    work: (storage: Storage, windows: WindowDraft) => Promise<T>,
  ): Promise<T>;
  /** Records that this process wrote and counts ledger entries up to this `seq`. */
  wrote(ledgerSeq: number): void;
  /** Erases a subject from memory after this process erased it from the database, under the writer lock. */
  forget(storage: Storage, subject: Subject): Promise<void>;
}

interface Followed {
  readonly pendingScorings: ReadonlySet<number>;
  readonly uncounted: readonly PendingEvents[];
}

export interface RecordMemoryParts {
  readonly ledger: LedgerMemory;
  readonly windows: WindowMemory;
  readonly bounds: Readonly<Record<string, WindowBounds>>;
  readonly context: () => Omit<RestoreContext, "application">;
  readonly retentionMs: number;
  readonly clock: Clock;
}

export function createRecordMemory(parts: RecordMemoryParts): RecordMemory {
  const { ledger, windows, bounds, context, retentionMs, clock } = parts;
  let seen: Revisions | undefined;

  const takeWindows = async (storage: Storage, after: number): Promise<void> => {
    for await (const entry of storage.windows.after(after)) windows.apply([entry]);
  };
  const since = (): Instant => clock() - instantOf(retentionMs);

  return {
    isCurrent: ({ isScoringPending, ledger: entries, windows: version, erasures }) =>
      !isScoringPending &&
      seen?.ledger === entries &&
      seen.windows === version &&
      seen.erasures === erasures,

    async follow(storage, isCounted) {
      const now = await storage.revisions();
      const owed = now.isScoringPending ? await storage.pendingScorings.list() : [];
      const uncounted = await readPendingEvents(
        storage,
        owed.filter(({ seq }) => !isCounted(seq)),
        context(),
        clock,
      );
      const counting = (after: number): AsyncIterable<LedgerEntry> =>
        without(uncounted, storage.ledger.load(since(), after));
      if (!seen || seen.erasures !== now.erasures) {
        windows.clear();
        await takeWindows(storage, 0);
        await ledger.replace(counting(0));
      } else {
        if (seen.windows !== now.windows) await takeWindows(storage, seen.windows);
        // All or none: if this fails, it is repeated.
        if (seen.ledger < now.ledger) ledger.add(await listOf(counting(seen.ledger)));
      }
      seen = now;
      return { pendingScorings: new Set(owed.map(({ seq }) => seq)), uncounted };
    },

    async transaction(storage, work) {
      const draft = new WindowDraft(windows);
      const { result, version } = await storage.transaction(async (inner) => {
        const done = await work(inner, draft);
        const now = clock();
        const changed = draft.changes().map((change) => ({
          ...change,
          // Memory also retains a value for at most twice its lifetime.
          expiresAt: now + 2 * instantOf(bounds[change.map]!.lifetimeMs),
        }));
        const saved = changed.length > 0 ? await inner.windows.save(changed) : undefined;
        return { result: done, version: saved };
      });
      windows.apply(draft.changes());
      if (seen && version !== undefined) seen = { ...seen, windows: version };
      return result;
    },

    wrote(ledgerSeq) {
      if (seen) seen = { ...seen, ledger: Math.max(seen.ledger, ledgerSeq) };
    },

    async forget(storage, subject) {
      const { erasures } = await storage.revisions();
      // If other processes have erased subjects too, everything is reloaded.
      if (seen?.erasures !== erasures - 1) return;
      ledger.forget(subject);
      windows.clear();
      await takeWindows(storage, 0);
      seen = { ...seen, erasures };
    },
  };
}

async function listOf<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** Filters out ledger entries of events that do not count yet. */
async function* without(
  uncounted: readonly PendingEvents[],
  entries: AsyncIterable<LedgerEntry>,
): AsyncIterable<LedgerEntry> {
  const left = new Set(
    uncounted.flatMap(({ applicationId, events }) =>
      events.map(({ id }) => `${applicationId}/${id}`),
    ),
  );
  for await (const entry of entries) {
    if (!left.has(`${entry.applicationId}/${entry.eventId}`)) yield entry;
  }
}
