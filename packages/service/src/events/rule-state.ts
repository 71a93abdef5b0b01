/** Values by key that are forgotten when they were not written for long, or when there are too many. */
interface BoundedMap<Value> {
  get(key: string): Value | undefined;
  /** The value is never changed afterwards, only replaced. */
  set(key: string, value: Value): void;
  delete(key: string): void;
  readonly size: number;
}

/** Bounds of a {@link BoundedMap}. */
interface Bounds {
  /** Most keys. */
  readonly maxEntries: number;
  /** How long a value is kept at least, unless there are too many; at most twice that. */
  readonly lifetimeMs: number;
}

/**
 * What the rules keep in memory between reports. It is rolled back with the storage: what was set
 * during a transaction that fails is undone, so that a repeated report does not count twice.
 */
export interface RuleState {
  map<Value>(bounds: Bounds): BoundedMap<Value>;
  /** Does some work, and undoes what it set when it rejects. One at a time. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Creates an empty state.
 *
 * @param nowMs Monotonic clock in milliseconds.
 */
export function createRuleState(nowMs: () => number): RuleState {
  const attempts: Attempt[] = [];
  return {
    map<Value>(bounds: Bounds) {
      const { map, attempt } = createMap<Value>(bounds, nowMs);
      attempts.push(attempt);
      return map;
    },
    async transaction(work) {
      for (const attempt of attempts) attempt.begin();
      try {
        return await work();
      } catch (error) {
        for (const attempt of attempts) attempt.undo();
        throw error;
      } finally {
        for (const attempt of attempts) attempt.end();
      }
    },
  };
}

/** The part of a map in an attempt. */
interface Attempt {
  begin(): void;
  undo(): void;
  end(): void;
}

/**
 * Two generations: what is written goes to the young one, and when that is full or has reached its
 * age, it becomes the old one and the old one is gone. No timer, and no walk over entries.
 */
function createMap<Value>(
  { maxEntries, lifetimeMs }: Bounds,
  nowMs: () => number,
): { readonly map: BoundedMap<Value>; readonly attempt: Attempt } {
  const perGeneration = Math.max(1, Math.floor(maxEntries / 2));
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  let bornAtMs = nowMs();

  /** What the keys that an attempt touched held before it; undefined outside of attempts. */
  let before: Map<string, Value | undefined> | undefined;

  const get = (key: string): Value | undefined => young.get(key) ?? old.get(key);
  const touch = (key: string): void => {
    if (before && !before.has(key)) before.set(key, get(key));
    old.delete(key);
  };
  const map: BoundedMap<Value> = {
    get,
    set(key, value) {
      const ageMs = nowMs() - bornAtMs;
      touch(key);
      if (ageMs >= lifetimeMs || (young.size >= perGeneration && !young.has(key))) {
        // Nothing in either generation was written within the lifetime when twice that has passed.
        old = ageMs >= 2 * lifetimeMs ? new Map<string, Value>() : young;
        young = new Map();
        bornAtMs = nowMs();
        old.delete(key);
      }
      young.set(key, value);
    },
    delete(key) {
      touch(key);
      young.delete(key);
    },
    get size() {
      return young.size + old.size;
    },
  };
  const attempt: Attempt = {
    begin() {
      before = new Map();
    },
    undo() {
      for (const [key, value] of before ?? []) {
        old.delete(key);
        if (value === undefined) young.delete(key);
        else young.set(key, value);
      }
    },
    end() {
      before = undefined;
    },
  };
  return { map, attempt };
}
