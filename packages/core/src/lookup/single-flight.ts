import { startDeadline } from "../base/deadline.js";
import { RiskGateError } from "../base/errors.js";
import { onAbort } from "./on-abort.js";

/** A call under way that several callers may wait for. */
export interface SharedCall<T> {
  readonly result: Promise<T>;
  /**
   * Let another caller wait.
   *
   * @param timeoutMs Its time, by default as long as the call may take.
   * @returns What it gets at once where it should not wait.
   * @throws {RiskGateError} What it gets at once, likewise.
   */
  join(timeoutMs: number | undefined): T | undefined;
  /**
   * What a caller gets whose time is over. The call goes on for the others.
   *
   * @throws {RiskGateError} Where there is nothing but an error.
   */
  expire(timeoutMs: number): T;
  /** End the call, which rejects with `reason`. A call that has ended is not changed. */
  cancel(reason: RiskGateError): void;
}

/** Calls under way, by key: equal lookups at the same time share one. */
export interface SingleFlight<T, Call extends SharedCall<T>> {
  /**
   * Wait for the call with this key, which `start` makes if there is none.
   *
   * @param signal Ends the wait of this caller with code `ABORTED`.
   * @param timeoutMs Ends it with what the call gives then. The call itself ends only when its last
   *   waiter has left.
   */
  shareCall(
    key: string,
    start: () => Call,
    signal?: AbortSignal,
    timeoutMs?: number,
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
    shareCall(key, start, signal, timeoutMs) {
      const present = underWay.get(key);
      const call = present?.call ?? start();
      const instead = present && call.join(timeoutMs);
      if (instead !== undefined) return { call, result: Promise.resolve(instead) };
      const entry = present ?? add(key, call);
      entry.waiters++;
      // A caller without limits waits to the end and needs no promise of its own.
      if (!signal && timeoutMs === undefined) return { call, result: call.result };

      const result = new Promise<T>((resolve, reject) => {
        const leave = (reason: RiskGateError): void => {
          stopWaiting();
          entry.waiters--;
          if (entry.waiters > 0) return;
          remove(key, entry);
          call.cancel(reason);
        };
        const stopListening =
          signal &&
          onAbort(signal, () => {
            const reason = abortedBy(signal);
            reject(reason);
            leave(reason);
          });
        const stopDeadline =
          timeoutMs !== undefined &&
          startDeadline(timeoutMs, () => {
            resolve(new Promise((settle) => settle(call.expire(timeoutMs))));
            leave(new RiskGateError("ABORTED", "The last caller has no time left"));
          });
        const stopWaiting = (): void => {
          if (stopListening) stopListening();
          if (stopDeadline) stopDeadline();
        };
        call.result.then(resolve, reject).then(stopWaiting, stopWaiting);
      });
      return { call, result };
    },

    cancelAll(reason) {
      for (const { call } of underWay.values()) call?.cancel(reason);
    },
  };
}
