import { statusError } from "./answer.js";
import type { Admission, Breaker } from "./circuit-breaker.js";
import { startDeadline } from "../base/deadline.js";
import { RiskGateError } from "../base/errors.js";
import { isCertificateError } from "./network-error.js";
import type { Semaphore } from "./semaphore.js";
import type { SharedCall } from "./single-flight.js";
import type { Answer, Exchange, Transport } from "./transport.js";

/** What all calls of one client share. */
export interface ClientContext {
  readonly transport: Transport;
  /** One place for each request that may be under way. */
  readonly semaphore: Semaphore;
  readonly breaker: Breaker | undefined;
  /** Time for one call, from its start to its result. */
  readonly timeoutMs: number;
  /** Requests after the first one. */
  readonly retries: number;
  readonly now: () => number;
  /** Removes the API key from a text. */
  readonly redact: (text: string) => string;
}

/** What one call is to do. */
export interface CallSettings<T> {
  readonly path: string;
  /** Look elsewhere before the service is asked; undefined means to ask. Must not reject. */
  readonly recall: (() => Promise<T | undefined>) | undefined;
  /** Make the result of an answer with a status from 200 to 299, or throw a RiskGateError. */
  readonly read: (answer: Answer) => T;
  /** The stale answer that may serve when the call fails, if there is one. */
  readonly staleAnswer: (error: RiskGateError) => T | undefined;
}

/** Starts to wait for something; returns how to give up. */
type Wait<T> = (
  resolve: (value: T) => void,
  reject: (error: RiskGateError) => void,
) => (() => void) | undefined;

/**
 * One question on its way to the service: shared cache, circuit breaker, queue, request, and perhaps
 * a second request, all under one deadline. It can be cancelled at any point.
 */
export class Call<T> implements SharedCall<T> {
  readonly result: Promise<T>;
  /** Requests sent so far. */
  attempts = 0;
  readonly #client: ClientContext;
  readonly #settings: CallSettings<T>;
  readonly #dueMs: number;
  #cancelledBy: RiskGateError | undefined;
  /** Gives up the present wait, which rejects. */
  #interrupt: (reason: RiskGateError) => void = () => {};

  constructor(client: ClientContext, settings: CallSettings<T>) {
    this.#client = client;
    this.#settings = settings;
    this.#dueMs = client.now() + client.timeoutMs;
    this.result = this.#run();
  }

  cancel(reason: RiskGateError): void {
    if (this.#cancelledBy) return;
    this.#cancelledBy = reason;
    this.#interrupt(reason);
  }

  async #run(): Promise<T> {
    const { recall, staleAnswer } = this.#settings;
    const stopDeadline = startDeadline(this.#client.timeoutMs, () => this.cancel(this.#timeout()));
    try {
      const recalled = recall && (await this.#wait<T | undefined>(waitFor(recall())));
      return recalled ?? (await this.#askThroughBreaker());
    } catch (error) {
      const stale = staleAnswer(error as RiskGateError);
      if (stale === undefined) throw error;
      return stale;
    } finally {
      stopDeadline();
    }
  }

  /** Ask unless the breaker is open, and report to the breaker once how that ended. */
  async #askThroughBreaker(): Promise<T> {
    const { breaker, now } = this.#client;
    const admission: Admission = breaker?.admit(now()) ?? "call";
    if (admission instanceof RiskGateError) throw admission;
    try {
      const result = await this.#askWithRetries();
      breaker?.settle(admission, undefined, now());
      return result;
    } catch (thrown) {
      const error = thrown as RiskGateError;
      // A request that was never sent, or that its callers gave up, says nothing about the service.
      const isSilent =
        error.code === "ABORTED" || (error.code === "TIMEOUT" && this.attempts === 0);
      breaker?.settle(admission, isSilent ? null : error, now());
      throw error;
    }
  }

  async #askWithRetries(): Promise<T> {
    for (;;) {
      try {
        const answer = await this.#request();
        const error = statusError(answer, this.#client.redact);
        if (error) throw error;
        return this.#settings.read(answer);
      } catch (thrown) {
        const error = thrown as RiskGateError;
        const pauseMs = Math.max(40 + Math.random() * 20, error.retryAfterMs ?? 0);
        const hasTime = this.#client.now() + pauseMs < this.#dueMs;
        if (this.attempts > this.#client.retries || !hasTime || !isTransient(error)) throw error;
        await this.#pause(pauseMs);
      }
    }
  }

  /** Send one request, once there is a place for it. */
  #request(): Promise<Answer> {
    const { semaphore, transport } = this.#client;
    return this.#wait((resolve, reject) => {
      let exchange: Exchange | undefined;
      const leaveQueue = semaphore.acquire(() => {
        this.attempts++;
        exchange = transport.get(this.#settings.path);
        // The place is released with the connection, which for a cancelled call may be later.
        exchange.answer.finally(() => semaphore.release()).then(resolve, reject);
      });
      return () => {
        leaveQueue();
        exchange?.cancel();
      };
    });
  }

  #pause(ms: number): Promise<void> {
    return this.#wait((resolve) => {
      // Unlike a deadline, this timer keeps the process: a lookup is under way, and no socket is.
      const timer = setTimeout(resolve, ms);
      return () => clearTimeout(timer);
    });
  }

  /** The one way to wait for anything: rejects at once when the call is cancelled. */
  #wait<V>(start: Wait<V>): Promise<V> {
    return new Promise((resolve, reject) => {
      if (this.#cancelledBy) {
        reject(this.#cancelledBy);
        return;
      }
      const giveUp = start(resolve, reject);
      this.#interrupt = (reason) => {
        giveUp?.();
        reject(reason);
      };
      // What was started may have cancelled the call: a `fetch` of the application can do anything.
      if (this.#cancelledBy) this.#interrupt(this.#cancelledBy);
    });
  }

  #timeout(): RiskGateError {
    const { timeoutMs } = this.#client;
    const expected = this.attempts > 0 ? "an answer" : "a free connection";
    return new RiskGateError("TIMEOUT", `Expected ${expected} within ${timeoutMs} ms, given none`);
  }
}

/** Wait for a promise; there is nothing to give up. */
function waitFor<T>(promise: Promise<T>): Wait<T> {
  return (resolve, reject) => {
    promise.then(resolve, reject);
    return undefined;
  };
}

/** Whether the same request may well succeed a moment later. */
function isTransient(error: RiskGateError): boolean {
  switch (error.code) {
    case "NETWORK":
      return !isCertificateError(error);
    case "RATE_LIMITED":
      return error.retryAfterMs !== undefined;
    case "UPSTREAM_STATUS":
      return error.status === 502 || error.status === 503 || error.status === 504;
    default:
      return false;
  }
}
