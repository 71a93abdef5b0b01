import { RiskGateError } from "../base/errors.js";
import { onAbort } from "./on-abort.js";

/** A call under way. */
export interface Flight<T> {
  readonly result: Promise<T>;
  /** End the call: the result rejects with `reason`. Does nothing to one that has ended. */
  cancel(reason: RiskGateError): void;
}

/** Calls under way, by key, each shared by all who ask the same at the same time. */
export interface Flights<T, F extends Flight<T>> {
  /**
   * Wait for the call of this key, which `depart` starts if there is none.
   *
   * @param signal Ends the waiting of this caller with code `ABORTED`. The call itself ends only
   *   when nobody waits for it any more.
   */
  join(key: string, depart: () => F, signal?: AbortSignal): { flight: F; result: Promise<T> };
  /** End all calls. */
  cancelAll(reason: RiskGateError): void;
}

interface Shared<F> {
  /** Undefined once it has landed, for the sake of the collector: see {@link Ring}. */
  flight: F | undefined;
  waiters: number;
}

/** The error for a caller whose signal has fired. */
export function abortedBy(signal: AbortSignal): RiskGateError {
  return new RiskGateError("ABORTED", "The signal of the caller ended the lookup", {
    cause: signal.reason,
  });
}

/** Start with no call under way. */
export function createFlights<T, F extends Flight<T>>(): Flights<T, F> {
  const inAir = new Map<string, Shared<F>>();

  const depart = (key: string, flight: F): Shared<F> => {
    const shared: Shared<F> = { flight, waiters: 0 };
    inAir.set(key, shared);
    const land = (): void => remove(key, shared);
    // This also keeps a call that nobody waits for any more from being an unhandled rejection.
    flight.result.then(land, land);
    return shared;
  };

  /** A call given up may end after its key has been asked again: only its own place is cleared. */
  const remove = (key: string, shared: Shared<F>): void => {
    if (inAir.get(key) === shared) inAir.delete(key);
    shared.flight = undefined;
  };

  return {
    join(key, start, signal) {
      const present = inAir.get(key);
      const flight = present?.flight ?? start();
      const shared = present ?? depart(key, flight);
      shared.waiters++;
      // Who has no signal stays to the end and needs no promise of his own.
      if (!signal) return { flight, result: flight.result };

      const result = new Promise<T>((resolve, reject) => {
        const leave = (): void => {
          const reason = abortedBy(signal);
          reject(reason);
          shared.waiters--;
          if (shared.waiters > 0) return;
          remove(key, shared);
          flight.cancel(reason);
        };
        const stay = onAbort(signal, leave);
        flight.result.then(resolve, reject).then(stay, stay);
      });
      return { flight, result };
    },

    cancelAll(reason) {
      for (const { flight } of inAir.values()) flight?.cancel(reason);
    },
  };
}
