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

export interface ClientContext {
  readonly transport: Pick<Transport, "send" | "close">;
  readonly semaphore: Semaphore;
  readonly breaker: LookupBreaker | undefined;
  /** Time limit for one call, from start to result, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum number of retries. */
  readonly retries: number;
  readonly now: () => number;
  readonly redact: (text: string) => string;
}

/** Sources and destinations of results, shared by all calls for one type of identifier. */
export interface CallTarget<T> {
  /** Looks for a stored result; undefined means to ask the service. Must not reject. */
  readonly recall: ((key: string) => Promise<T | undefined>) | undefined;
  /** Reads a response with a status from 200 to 299, or throws a RiskGateError. */
  read(key: string, answer: Answer): T;
  /** Records the error of a request for callers that wait at most `limitMs`. */
  failed(key: string, error: RiskGateError, limitMs: number): void;
  staleAnswer(key: string, error: RiskGateError): T | undefined;
  /** Pending calls by key. A call is removed before its callers receive the result. */
  readonly calls: Map<string, Call<T>>;
}

interface Waiter<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: RiskGateError) => void;
  stopTimer?: () => void;
  stopListening?: () => void;
}

export function abortedBy(signal: AbortSignal): RiskGateError {
  return new RiskGateError("ABORTED", "the caller's signal aborted the lookup", {
    cause: signal.reason,
  });
}

/**
 * One lookup at the service, shared by all concurrent callers: shared cache, circuit breaker,
 * queue, request and possibly a retry, all under one deadline. It starts with its first caller, can
 * be cancelled at any point, and ends early when its last caller leaves.
 */
export class Call<T> {
  attempts = 0;
  readonly #client: ClientContext;
  readonly #target: CallTarget<T>;
  readonly #key: string;
  readonly #path: string;
  readonly #waiters = new Set<Waiter<T>>();
  #latestMs = Infinity;
  /** When the time of the last caller runs out. */
  #dueMs = 0;
  #exchange: Exchange | undefined;
  #refused: RiskGateError | undefined;
  /** The request whose response head was a refusal, before its body ended. */
  #refusedBy: Exchange | undefined;
  /** Set until the breaker has received the result, which is reported once. */
  #admission: Admission | undefined;
  #isOver = false;
  #stopTimer = (): void => {};
  /** Leaves the queue, or ends the pause before a retry. */
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
   * @param options The signal ends this caller's wait with `ABORTED`. When its time runs out, it
   * receives a stale answer, the service's latest refusal, or `TIMEOUT`.
   * @throws {RiskGateError} Any error of a lookup.
   */
  wait({ signal, timeoutMs }: LookupOptions = {}): Promise<T> {
    const { breaker, now, timeoutMs: longestMs } = this.#client;
    const nowMs = now();
    const isFirst = this.#waiters.size === 0;
    // A hanging request must not delay callers that a new call would refuse immediately.
    const refusal = !isFirst && this.attempts > 0 ? breaker?.refusal(nowMs) : undefined;
    if (refusal)
      return new Promise((resolve, reject) => this.#answer({ resolve, reject }, refusal));
    if (isFirst) this.#latestMs = nowMs + longestMs;
    // Applications may pass anything; only a number below the usual limit has an effect.
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

  /** Ends the call: its callers receive a stale answer, or `reason`. */
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

  /** Ends the wait of a caller whose time has run out; the call continues for the others. */
  #expire(waiter: Waiter<T>, timeoutMs: number): void {
    const error = this.#timeout(timeoutMs);
    // A queued call may still be sent for other callers.
    if (this.attempts > 0) {
      this.#report(error);
      this.#target.failed(this.#key, error, timeoutMs);
    }
    this.#answer(waiter, error);
    this.#leave(waiter, new RiskGateError("ABORTED", "the last caller has no time left"));
  }

  #leave(waiter: Waiter<T>, reason: RiskGateError): void {
    waiter.stopTimer?.();
    waiter.stopListening?.();
    this.#waiters.delete(waiter);
    if (this.#waiters.size === 0) this.cancel(reason);
  }

  #ask(): void {
    if (this.#isOver || (this.attempts === 0 && !this.#isAdmitted())) return;
    this.#stopWaiting = this.#client.semaphore.acquire(this.#send);
  }

  #isAdmitted(): boolean {
    const { breaker, now } = this.#client;
    const nowMs = now();
    const admission = breaker?.admit(nowMs);
    const refusal = admission === "refused" ? breaker?.refusal(nowMs) : undefined;
    this.#admission = refusal ? undefined : admission;
    if (refusal) this.#end(refusal);
    return !refusal;
  }

  readonly #send = (): void => {
    const { transport, semaphore, redact } = this.#client;
    try {
      // The breaker may have opened while the call was in the queue.
      const isAdmitted = this.attempts > 0 || this.#admission !== "call" || this.#isAdmitted();
      if (isAdmitted) {
        // The first request's connection may be broken, and so may other idle ones.
        this.#exchange = transport.send({ path: this.#path }, this.attempts > 0);
        this.attempts++;
        void this.#receive(this.#exchange);
        // The application's `fetch` can run any code, so it may have cancelled the call.
        if (this.#isOver) this.#exchange.cancel();
        return;
      }
    } catch (thrown) {
      this.#end(networkError(thrown, redact));
    }
    // Deferred: the next call in the queue may be refused too, and so on, deepening the stack.
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
      // The connection is free again; for a cancelled call that may be much later.
      semaphore.release();
    }
  }

  /** Retries if that may help and there is time; otherwise ends the call. */
  #askAgain(error: RiskGateError, { isUnread }: Exchange): void {
    const { retries, now } = this.#client;
    const most = isUnread ? Math.max(retries, 1) : retries;
    const pauseMs = isUnread ? 0 : Math.max(40 + Math.random() * 20, error.retryAfterMs ?? 0);
    if (this.attempts > most || now() + pauseMs >= this.#dueMs || !isTransient(error)) {
      this.#end(error);
    } else if (pauseMs === 0) this.#ask();
    else {
      // Unlike a deadline, this timer keeps the process alive: no socket does during the pause.
      const timer = setTimeout(() => this.#ask(), pauseMs);
      this.#stopWaiting = () => clearTimeout(timer);
    }
  }

  /** Ends the call with a result, or with an error or the stale answer that replaces it. */
  #end(error: RiskGateError | undefined, result?: T): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopTimer();
    this.#report(error);
    // A refusal of the breaker ends with its pause, which may be sooner.
    if (error && this.attempts > 0) this.#target.failed(this.#key, error, Infinity);
    this.#target.calls.delete(this.#key);
    for (const waiter of this.#waiters) {
      waiter.stopTimer?.();
      waiter.stopListening?.();
      if (error) this.#answer(waiter, error);
      else waiter.resolve(result as T);
    }
    // Old tables of a grown map still reference the call, but then not its result.
    this.#waiters.clear();
    this.#exchange = undefined;
    this.#refusedBy = undefined;
  }

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
    // A request that was not sent, or that its callers cancelled, reveals nothing about the
    // service.
    const isSilent = this.attempts === 0 || error?.code === "ABORTED";
    if (error) breaker.fail(admission, isSilent ? undefined : error, now());
    else breaker.settle(admission, "works", now());
  }

  /** Creates the error for a refusal, which callers whose time runs out also receive. */
  #refusalOf(answer: Answer): RiskGateError {
    const { breaker, now, redact } = this.#client;
    const error = statusError(answer, redact);
    this.#refused = error;
    breaker?.heed(error, now());
    return error;
  }

  /** Creates the error for a caller whose time ran out: the latest refusal, if there was one. */
  #timeout(timeoutMs: number): RiskGateError {
    const head = this.#exchange?.head;
    if (head && !isSuccess(head.status) && this.#refusedBy !== this.#exchange) {
      this.#refusedBy = this.#exchange;
      return this.#refusalOf(head);
    }
    if (this.#refused) return this.#refused;
    const missing = this.attempts > 0 ? "response" : "free connection";
    return new RiskGateError("TIMEOUT", `no ${missing} within ${timeoutMs} ms`);
  }
}
