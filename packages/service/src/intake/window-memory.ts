/** Values by key that are forgotten when they were not written for long, or when there are too many. */
interface BoundedMap<Value> {
  get(key: string): Value | undefined;
  /** A JSON value, which is never changed afterwards, only replaced. */
  set(key: string, value: Value): void;
  readonly size: number;
}

/** Bounds of a {@link BoundedMap}. */
interface Bounds {
  /** Most keys. */
  readonly maxEntries: number;
  /** How long a value is kept at least, unless there are too many; at most twice that. */
  readonly lifetimeMs: number;
}

/** One value of a map. */
interface RuleEntry {
  readonly map: string;
  readonly key: string;
  readonly value: unknown;
}

/** A value with how long it is kept at least. */
interface ChangedEntry extends RuleEntry {
  readonly lifetimeMs: number;
}

/**
 * What the rules keep in memory between reports. It is rolled back with the storage: what was set
 * during a transaction that fails is undone, so that a repeated report does not count twice.
 */
export interface RuleState {
  /** Makes a map, under a name of its own. */
  map<Value>(name: string, bounds: Bounds): BoundedMap<Value>;
  /**
   * Does some work, and undoes what it set when it rejects. One at a time.
   *
   * @param work Is handed a function that tells what was set so far.
   */
  transaction<T>(work: (changes: () => readonly ChangedEntry[]) => Promise<T>): Promise<T>;
  /** Take in what was set elsewhere. */
  take(entry: RuleEntry): void;
  /** Forget everything. */
  clear(): void;
}

/**
 * Creates an empty state.
 *
 * @param nowMs Monotonic clock in milliseconds.
 */
export function createRuleState(nowMs: () => number): RuleState {
  const maps = new Map<string, NamedMap>();
  const attempts = function* (): Iterable<Attempt> {
    for (const { attempt } of maps.values()) yield attempt;
  };
  const changes = (): readonly ChangedEntry[] =>
    [...maps].flatMap(([map, { attempt, lifetimeMs }]) =>
      attempt.changes().map(([key, value]) => ({ map, key, value, lifetimeMs })),
    );
  return {
    map<Value>(name: string, bounds: Bounds) {
      const made = createMap<Value>(bounds, nowMs);
      maps.set(name, { ...made, lifetimeMs: bounds.lifetimeMs });
      return made.map;
    },
    async transaction(work) {
      for (const attempt of attempts()) attempt.begin();
      try {
        return await work(changes);
      } catch (error) {
        for (const attempt of attempts()) attempt.undo();
        throw error;
      } finally {
        for (const attempt of attempts()) attempt.end();
      }
    },
    // A map may belong to a later version of the rules.
    take: ({ map, key, value }) => maps.get(map)?.map.set(key, value),
    clear() {
      for (const { clear } of maps.values()) clear();
    },
  };
}

interface NamedMap {
  readonly map: BoundedMap<unknown>;
  readonly attempt: Attempt;
  readonly lifetimeMs: number;
  readonly clear: () => void;
}

/** The part of a map in an attempt. */
interface Attempt {
  begin(): void;
  /** What was set since. */
  changes(): readonly (readonly [key: string, value: unknown])[];
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
): { readonly map: BoundedMap<Value>; readonly attempt: Attempt; readonly clear: () => void } {
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
    get size() {
      return young.size + old.size;
    },
  };
  const attempt: Attempt = {
    begin() {
      before = new Map();
    },
    changes: () =>
      [...(before?.keys() ?? [])].flatMap((key) => {
        const value = get(key);
        // With many others it may be forgotten again already.
        return value === undefined ? [] : [[key, value] as const];
      }),
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
  const clear = (): void => {
    young = new Map();
    old = new Map();
  };
  return { map, attempt, clear };
}
