import { statusError } from "./answer.js";
import type { Admission } from "../base/circuit-breaker.js";
import { startDeadline } from "../base/time-limit.js";
import { isRiskGateError, RiskGateError } from "../base/errors.js";
import type { LookupOptions } from "../model/lookup.js";
import type { LookupBreaker } from "./lookup-breaker.js";
import { networkError } from "./network-error.js";
import { onAbort } from "./on-abort.js";
import type { Semaphore } from "./semaphore.js";
import { isTransient } from "./transient-error.js";
import { type Answer, type Exchange, isSuccess, type Transport } from "./transport.js";

/** What all calls of one client share. */
export interface ClientContext {
  readonly transport: Pick<Transport, "send" | "close">;
  /** One place for each request that may be under way. */
  readonly semaphore: Semaphore;
  readonly breaker: LookupBreaker | undefined;
  /** Longest time for one call, from its start to its result. */
  readonly timeoutMs: number;
  /** Requests after the first one. */
  readonly retries: number;
  readonly now: () => number;
  /** Removes the API key from a text. */
  readonly redact: (text: string) => string;
}

/** Shared by all calls for one type of identifier: where answers come from and where they go. */
export interface CallTarget<T> {
  /** Looks for an answer before the service is asked; undefined means to ask. Must not reject. */
  readonly recall: ((key: string) => Promise<T | undefined>) | undefined;
  /** Makes the result of an answer with a status from 200 to 299, or throws a RiskGateError. */
  read(key: string, answer: Answer): T;
  /** The stale answer that may serve if the call fails. */
  staleAnswer(key: string, error: RiskGateError): T | undefined;
  /** Calls under way by key. A call that ends is removed before its callers get the result. */
  readonly calls: Map<string, Call<T>>;
}

/** A caller that waits for the result. */
interface Waiter<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: RiskGateError) => void;
  stopTimer?: () => void;
  stopListening?: () => void;
}

/** The error for a caller whose signal has fired. */
export function abortedBy(signal: AbortSignal): RiskGateError {
  return new RiskGateError("ABORTED", "the signal of the caller ended the lookup", {
    cause: signal.reason,
  });
}

/**
 * One question to the service, shared by all callers that ask it at the same time: shared cache,
 * circuit breaker, queue, request, and perhaps a second request, all under one deadline. It starts
 * with its first caller, can be cancelled at any point, and ends early when its last caller leaves.
 */
export class Call<T> {
  /** Requests sent so far. */
  attempts = 0;
  readonly #client: ClientContext;
  readonly #target: CallTarget<T>;
  readonly #key: string;
  readonly #path: string;
  readonly #waiters = new Set<Waiter<T>>();
  #latestMs = Infinity;
  /** When the last of its callers has no time left. */
  #dueMs = 0;
  #exchange: Exchange | undefined;
  /** The last refusal of the service. */
  #refused: RiskGateError | undefined;
  /** The request whose head has shown a refusal before its end. */
  #refusedBy: Exchange | undefined;
  /** Until the breaker has received the result, which it receives once. */
  #admission: Admission | undefined;
  #isOver = false;
  #stopTimer = (): void => {};
  /** Leaves the queue, or ends the pause before a further request. */
  #stopWaiting = (): void => {};

  constructor(client: ClientContext, target: CallTarget<T>, key: string, path: string) {
    this.#client = client;
    this.#target = target;
    this.#key = key;
    this.#path = path;
  }

  /**
   * Waits for the result.
   *
   * @param options The signal ends the wait of this caller with `ABORTED`. At the end of its time it
   *   gets a stale answer, the last refusal of the service, or `TIMEOUT`.
   * @throws {RiskGateError} Any error of a lookup.
   */
  wait({ signal, timeoutMs }: LookupOptions = {}): Promise<T> {
    const { breaker, now, timeoutMs: longestMs } = this.#client;
    const nowMs = now();
    const isFirst = this.#waiters.size === 0;
    // A request that the service leaves open must not delay callers that a new call would not delay.
    const refusal = !isFirst && this.attempts > 0 ? breaker?.refusal(nowMs) : undefined;
    if (refusal)
      return new Promise((resolve, reject) => this.#answer({ resolve, reject }, refusal));
    if (isFirst) this.#latestMs = nowMs + longestMs;
    // An application may pass anything; only a number below the time of every call counts.
    const isLimited = typeof timeoutMs === "number" && timeoutMs < longestMs;
    const limitMs = isLimited ? timeoutMs : longestMs;
    this.#dueMs = Math.max(this.#dueMs, Math.min(this.#latestMs, nowMs + limitMs));
    return new Promise((resolve, reject) => {
      const waiter: Waiter<T> = { resolve, reject };
      this.#waiters.add(waiter);
      if (signal) {
        waiter.stopListening = onAbort(signal, () => {
          const reason = abortedBy(signal);
          reject(reason);
          this.#leave(waiter, reason);
        });
      }
      if (isLimited) {
        waiter.stopTimer = startDeadline(limitMs, () => this.#expire(waiter, limitMs));
      }
      if (!isFirst) return;
      this.#stopTimer = startDeadline(longestMs, () => this.cancel(this.#timeout(longestMs)));
      const recalling = this.#target.recall?.(this.#key);
      if (recalling) void this.#recall(recalling);
      else this.#ask();
    });
  }

  /** Ends the call: its callers get a stale answer, or `reason`. */
  cancel(reason: RiskGateError): void {
    const exchange = this.#exchange;
    this.#stopWaiting();
    this.#end(reason);
    exchange?.cancel();
  }

  async #recall(recalling: Promise<T | undefined>): Promise<void> {
    const found = await recalling;
    if (found === undefined) this.#ask();
    else this.#end(undefined, found);
  }

  /** Ends the wait of one caller whose time is over; the call continues for the others. */
  #expire(waiter: Waiter<T>, timeoutMs: number): void {
    const error = this.#timeout(timeoutMs);
    // For the other callers, a call in the queue may still be sent.
    if (this.attempts > 0) this.#report(error);
    this.#answer(waiter, error);
    this.#leave(waiter, new RiskGateError("ABORTED", "the last caller has no time left"));
  }

  #leave(waiter: Waiter<T>, reason: RiskGateError): void {
    waiter.stopTimer?.();
    waiter.stopListening?.();
    this.#waiters.delete(waiter);
    if (this.#waiters.size === 0) this.cancel(reason);
  }

  /** Joins the queue, if the breaker admits the call. */
  #ask(): void {
    if (this.#isOver || (this.attempts === 0 && !this.#isAdmitted())) return;
    this.#stopWaiting = this.#client.semaphore.acquire(this.#send);
  }

  /** Asks the breaker; the call ends if it refuses. */
  #isAdmitted(): boolean {
    const { breaker, now } = this.#client;
    const nowMs = now();
    const admission = breaker?.admit(nowMs);
    const refusal = admission === "refused" ? breaker?.refusal(nowMs) : undefined;
    this.#admission = refusal ? undefined : admission;
    if (refusal) this.#end(refusal);
    return !refusal;
  }

  /** Sends one request, as soon as it has a place. */
  readonly #send = (): void => {
    const { transport, semaphore, redact } = this.#client;
    try {
      // The breaker may have opened while the call was in the queue.
      const isAdmitted = this.attempts > 0 || this.#admission !== "call" || this.#isAdmitted();
      if (isAdmitted) {
        // The connection of the first request may be bad, and so may others that are idle.
        this.#exchange = transport.send({ path: this.#path }, this.attempts > 0);
        this.attempts++;
        void this.#receive(this.#exchange);
        // A `fetch` of the application can do anything, and so may have cancelled the call.
        if (this.#isOver) this.#exchange.cancel();
        return;
      }
    } catch (thrown) {
      this.#end(networkError(thrown, redact));
    }
    // Not at once: the next in the queue may be refused too, and so on down the stack.
    queueMicrotask(() => semaphore.release());
  };

  async #receive(exchange: Exchange): Promise<void> {
    const { redact, semaphore } = this.#client;
    try {
      const answer = await exchange.answer;
      if (this.#isOver) return;
      if (isSuccess(answer.status)) this.#end(undefined, this.#target.read(this.#key, answer));
      else this.#askAgain(this.#refusalOf(answer), exchange);
    } catch (thrown) {
      if (this.#isOver) return;
      this.#askAgain(isRiskGateError(thrown) ? thrown : networkError(thrown, redact), exchange);
    } finally {
      // The connection is free; for a cancelled call that may be much later.
      semaphore.release();
    }
  }

  /** Asks again if that may help and there is time, otherwise ends. */
  #askAgain(error: RiskGateError, { isUnread }: Exchange): void {
    const { retries, now } = this.#client;
    const most = isUnread ? Math.max(retries, 1) : retries;
    const pauseMs = isUnread ? 0 : Math.max(40 + Math.random() * 20, error.retryAfterMs ?? 0);
    if (this.attempts > most || now() + pauseMs >= this.#dueMs || !isTransient(error)) {
      this.#end(error);
    } else if (pauseMs === 0) this.#ask();
    else {
      // Unlike a deadline, this timer keeps the process: a lookup is under way, and no socket is.
      const timer = setTimeout(() => this.#ask(), pauseMs);
      this.#stopWaiting = () => clearTimeout(timer);
    }
  }

  /** Ends the call with a result, or with an error and the stale answer that may serve instead. */
  #end(error: RiskGateError | undefined, result?: T): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopTimer();
    this.#report(error);
    this.#target.calls.delete(this.#key);
    for (const waiter of this.#waiters) {
      waiter.stopTimer?.();
      waiter.stopListening?.();
      if (error) this.#answer(waiter, error);
      else waiter.resolve(result as T);
    }
    // The old tables of a map that grew still point to the call, but not to the answer.
    this.#waiters.clear();
    this.#exchange = undefined;
    this.#refusedBy = undefined;
  }

  /** Gives a caller a stale answer, or the error. */
  #answer({ resolve, reject }: Waiter<T>, error: RiskGateError): void {
    const stale = this.#target.staleAnswer(this.#key, error);
    if (stale === undefined) reject(error);
    else resolve(stale);
  }

  #report(error: RiskGateError | undefined): void {
    const admission = this.#admission;
    this.#admission = undefined;
    const { breaker, now } = this.#client;
    if (!breaker || !admission) return;
    // A request that was never sent, or that its callers cancelled, says nothing about the service.
    const isSilent = this.attempts === 0 || error?.code === "ABORTED";
    if (error) breaker.fail(admission, isSilent ? undefined : error, now());
    else breaker.settle(admission, "works", now());
  }

  /** The error of a refusal, which also serves callers whose time runs out. */
  #refusalOf(answer: Answer): RiskGateError {
    const { breaker, now, redact } = this.#client;
    const error = statusError(answer, redact);
    this.#refused = error;
    breaker?.heed(error, now());
    return error;
  }

  /** The error for callers without time: the last refusal of the service, if there was one. */
  #timeout(timeoutMs: number): RiskGateError {
    const head = this.#exchange?.head;
    if (head && !isSuccess(head.status) && this.#refusedBy !== this.#exchange) {
      this.#refusedBy = this.#exchange;
      return this.#refusalOf(head);
    }
    if (this.#refused) return this.#refused;
    const missing = this.attempts > 0 ? "answer" : "free connection";
    return new RiskGateError("TIMEOUT", `no ${missing} within ${timeoutMs} ms`);
  }
}
