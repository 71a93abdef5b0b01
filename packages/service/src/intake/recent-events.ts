import type { IntakeEvent } from "../model/event.js";

/**
 * Events that this process has just appended, by their `seq`, so that its detection need not read and
 * compose them again. The log still decides which events there are.
 */
export interface RecentEvents {
  /** @param seqs For each event, its `seq`; undefined for one that was not stored. */
  add(
    applicationId: string,
    seqs: readonly (number | undefined)[],
    events: readonly IntakeEvent[],
  ): void;
  /** Returns a copy of the first events of an application. */
  first(applicationId: string, limit: number): ReadonlyMap<number, IntakeEvent>;
  /** Forgets the events of an application up to a `seq`; by default all. */
  forget(applicationId: string, to?: number): void;
}

/** Beyond this number, detection is behind, and it reads the others from the log. */
const MAX_EVENTS = 5_000;

export function createRecentEvents(): RecentEvents {
  const byApplication = new Map<string, Map<number, IntakeEvent>>();
  let count = 0;
  return {
    add(applicationId, seqs, events) {
      const own = byApplication.get(applicationId) ?? new Map<number, IntakeEvent>();
      byApplication.set(applicationId, own);
      for (const [index, event] of events.entries()) {
        const seq = seqs[index];
        if (seq === undefined || count >= MAX_EVENTS) continue;
        own.set(seq, event);
        count++;
      }
    },
    first: (applicationId, limit) =>
      new Map([...(byApplication.get(applicationId) ?? [])].slice(0, limit)),
    forget(applicationId, to = Infinity) {
      const own = byApplication.get(applicationId) ?? new Map<number, IntakeEvent>();
      for (const seq of own.keys()) {
        if (seq > to) break;
        own.delete(seq);
        count--;
      }
      if (own.size === 0) byApplication.delete(applicationId);
    },
  };
}
