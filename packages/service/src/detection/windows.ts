/** Detection state between reports: JSON values by map and key. */
export interface Windows {
  get(map: string, key: string): unknown;
}

export interface WindowChange {
  readonly map: string;
  readonly key: string;
  /** A JSON value, which must not be modified afterwards. */
  readonly value: unknown;
}

export interface WindowMap<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

/** Collects changes and includes them in reads, without changing the underlying windows. */
export class WindowDraft implements Windows {
  readonly #below: Windows;
  readonly #changed = new Map<string, Map<string, unknown>>();

  constructor(below: Windows) {
    this.#below = below;
  }

  get(map: string, key: string): unknown {
    return this.#changed.get(map)?.get(key) ?? this.#below.get(map, key);
  }

  map<Value>(name: string): WindowMap<Value> {
    const changed = this.#changed.get(name) ?? new Map<string, unknown>();
    this.#changed.set(name, changed);
    return {
      get: (key) => this.get(name, key) as Value | undefined,
      set: (key, value) => void changed.set(key, value),
    };
  }

  apply(changes: readonly WindowChange[]): void {
    for (const { map, key, value } of changes) this.map(map).set(key, value);
  }

  changes(): readonly WindowChange[] {
    return [...this.#changed].flatMap(([map, values]) =>
      [...values].map(([key, value]) => ({ map, key, value })),
    );
  }
}
