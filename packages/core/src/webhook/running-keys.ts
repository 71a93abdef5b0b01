/** The keys of jobs that run in this process now, each held by one run until its outcome is known. */
export class RunningKeys {
  readonly #places = new Map<string, Place>();

  /** Let others wait for these keys. */
  hold(keys: readonly string[], holder: object): void {
    for (const key of keys) this.#places.set(key, { holder, waiting: [] });
  }

  /** Whether the job of a key was handled, once that is known; undefined where nobody holds it. */
  outcome(key: string): Promise<boolean> | undefined {
    const place = this.#places.get(key);
    return place && new Promise((resolve) => place.waiting.push(resolve));
  }

  /** Tell the outcome of jobs; keys that meanwhile nobody holds, or somebody else, stay as they are. */
  leave(keys: readonly string[], holder: object, handled: boolean): void {
    if (this.#places.size === 0) return;
    for (const key of keys) {
      const place = this.#places.get(key);
      if (place?.holder !== holder) continue;
      this.#places.delete(key);
      for (const tell of place.waiting) tell(handled);
    }
  }
}

interface Place {
  readonly holder: object;
  readonly waiting: ((handled: boolean) => void)[];
}
