import { RiskGateError } from "../base/errors.js";
import { onAbort } from "./on-abort.js";

/** A call under way that several callers may wait for. */
export interface SharedCall<T> {
  readonly result: Promise<T>;
  /** End the call, which rejects with `reason`. A call that has ended is not changed. */
  cancel(reason: RiskGateError): void;
}

/** Calls under way, by key: equal lookups at the same time share one. */
export interface SingleFlight<T, Call extends SharedCall<T>> {
  /**
   * Wait for the call with this key, which `start` makes if there is none.
   *
   * @param signal Ends the wait of this caller with code `ABORTED`. The call itself ends only when
   *   its last waiter has left.
   */
  shareCall(
    key: string,
    start: () => Call,
    signal?: AbortSignal,
  ): { call: Call; result: Promise<T> };
  /** End all calls. */
  cancelAll(reason: RiskGateError): void;
}

/** The error for a caller whose signal has fired. */
export function abortedBy(signal: AbortSignal): RiskGateError {
  return new RiskGateError("ABORTED", "The signal of the caller ended the lookup", {
    cause: signal.reason,
  });
}

/** Start with no call under way. */
export function createSingleFlight<T, Call extends SharedCall<T>>(): SingleFlight<T, Call> {
  interface Entry {
    /** Dropped when the call ends: the old tables of a map that grows still point to its entries. */
    call: Call | undefined;
    waiters: number;
  }
  const underWay = new Map<string, Entry>();

  /** A cancelled call may end after its key was asked again: only its own entry is removed. */
  const remove = (key: string, entry: Entry): void => {
    if (underWay.get(key) === entry) underWay.delete(key);
    entry.call = undefined;
  };

  const add = (key: string, call: Call): Entry => {
    const entry: Entry = { call, waiters: 0 };
    underWay.set(key, entry);
    const onEnd = (): void => remove(key, entry);
    // This also keeps a call without waiters from being an unhandled rejection.
    call.result.then(onEnd, onEnd);
    return entry;
  };

  return {
    shareCall(key, start, signal) {
      const present = underWay.get(key);
      const call = present?.call ?? start();
      const entry = present ?? add(key, call);
      entry.waiters++;
      // A caller without a signal waits to the end and needs no promise of its own.
      if (!signal) return { call, result: call.result };

      const result = new Promise<T>((resolve, reject) => {
        const leave = (): void => {
          const reason = abortedBy(signal);
          reject(reason);
          entry.waiters--;
          if (entry.waiters > 0) return;
          remove(key, entry);
          call.cancel(reason);
        };
        const stopListening = onAbort(signal, leave);
        call.result.then(resolve, reject).then(stopListening, stopListening);
      });
      return { call, result };
    },

    cancelAll(reason) {
      for (const { call } of underWay.values()) call?.cancel(reason);
    },
  };
}
