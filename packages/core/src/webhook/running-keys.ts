/** The keys of calls that run in this process now, each held by one run until its outcome is known. */
export class RunningKeys {
  readonly #calls = new Map<string, RunningCall>();

  /** Takes keys that no run holds. */
  hold(keys: readonly string[], holder: object): void {
    for (const key of keys) this.#calls.set(key, { holder, waiting: undefined });
  }

  /** Whether the call of a key succeeded, once that is known; undefined where no run holds it. */
  outcome(key: string): Promise<boolean> | undefined {
    const call = this.#calls.get(key);
    return call && new Promise((resolve) => (call.waiting ??= []).push(resolve));
  }

  /** Settle the outcome of calls. A key that its holder has lost, or given back, stays as it is. */
  leave(keys: readonly string[], holder: object, succeeded: boolean): void {
    for (const key of keys) {
      const call = this.#calls.get(key);
      if (call?.holder !== holder) continue;
      this.#calls.delete(key);
      for (const settle of call.waiting ?? []) settle(succeeded);
    }
  }
}

interface RunningCall {
  readonly holder: object;
  waiting: ((succeeded: boolean) => void)[] | undefined;
}
