/** Keys of calls that run in this process, each held by one run until its outcome is known. */
export class RunningKeys {
  readonly #calls = new Map<string, RunningCall>();

  hold(keys: readonly string[], holder: object): void {
    for (const key of keys) this.#calls.set(key, { holder, waiting: undefined });
  }

  /** Resolves to whether the call of a key succeeded; undefined if no run holds it. */
  outcome(key: string): Promise<boolean> | undefined {
    const call = this.#calls.get(key);
    return call && new Promise((resolve) => (call.waiting ??= []).push(resolve));
  }

  /** Settles the outcome of calls. Keys that the holder lost or released stay unchanged. */
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
