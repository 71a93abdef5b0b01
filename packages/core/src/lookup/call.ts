import { statusError } from "./answer.js";
import type { Admission, Breaker } from "./circuit-breaker.js";
import { startDeadline } from "../base/deadline.js";
import { isRiskGateError, RiskGateError } from "../base/errors.js";
import { isCertificateError, networkError } from "./network-error.js";
import type { Semaphore } from "./semaphore.js";
import type { SharedCall } from "./single-flight.js";
import type { Answer, Exchange, Transport } from "./transport.js";

/** What all calls of one client share. */
export interface ClientContext {
  readonly transport: Pick<Transport, "get" | "close">;
  /** One place for each request that may be under way. */
  readonly semaphore: Semaphore;
  readonly breaker: Breaker | undefined;
  /** Longest time for one call, from its start to its result. */
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
  readonly #latestMs: number;
  /** When the last of its callers has no time left. */
  #dueMs: number;
  #exchange: Exchange | undefined;
  /** What the service last answered, if that was a refusal. */
  #refused: RiskGateError | undefined;
  /** Until the breaker has heard how the call ended: it hears that once. */
  #admission: Admission | undefined;
  #cancelledBy: RiskGateError | undefined;
  /** Gives up the present wait, which rejects. */
  #interrupt: (reason: RiskGateError) => void = () => {};

  /** @param timeoutMs Time of the first caller. */
  constructor(client: ClientContext, settings: CallSettings<T>, timeoutMs?: number) {
    this.#client = client;
    this.#settings = settings;
    const nowMs = client.now();
    this.#latestMs = nowMs + client.timeoutMs;
    this.#dueMs = Math.min(this.#latestMs, nowMs + (timeoutMs ?? Infinity));
    this.result = this.#run();
  }

  join(timeoutMs: number | undefined): T | undefined {
    const { breaker, now } = this.#client;
    const nowMs = now();
    // A request that the service leaves open must not hold up callers that a new call would not.
    const refusal = this.attempts > 0 ? breaker?.refusal(nowMs) : undefined;
    if (refusal) return this.#standIn(refusal);
    const dueMs = Math.min(this.#latestMs, nowMs + (timeoutMs ?? Infinity));
    this.#dueMs = Math.max(this.#dueMs, dueMs);
    return undefined;
  }

  expire(timeoutMs: number): T {
    const error = this.#timeout(timeoutMs);
    // For the other callers, a call in the queue may still be sent.
    if (this.attempts > 0) this.#report(error);
    return this.#standIn(error);
  }

  cancel(reason: RiskGateError): void {
    if (this.#cancelledBy) return;
    this.#cancelledBy = reason;
    this.#interrupt(reason);
  }

  async #run(): Promise<T> {
    const { recall } = this.#settings;
    const { timeoutMs, redact } = this.#client;
    const stopDeadline = startDeadline(timeoutMs, () => this.cancel(this.#timeout(timeoutMs)));
    try {
      const recalled = recall && (await this.#wait<T | undefined>(waitFor(recall())));
      return recalled ?? (await this.#askThroughBreaker());
    } catch (thrown) {
      return this.#standIn(isRiskGateError(thrown) ? thrown : networkError(thrown, redact));
    } finally {
      stopDeadline();
    }
  }

  /** What a caller gets instead of an answer: one from before, or the error. */
  #standIn(error: RiskGateError): T {
    const stale = this.#settings.staleAnswer(error);
    if (stale === undefined) throw error;
    return stale;
  }

  /** Ask unless the breaker is open, and report to the breaker how that ended. */
  async #askThroughBreaker(): Promise<T> {
    this.#admit();
    try {
      const result = await this.#askWithRetries();
      this.#report(undefined);
      return result;
    } catch (error) {
      this.#report(error as RiskGateError);
      throw error;
    }
  }

  #admit(): void {
    const { breaker, now } = this.#client;
    const admission = breaker?.admit(now());
    if (admission instanceof RiskGateError) throw admission;
    this.#admission = admission;
  }

  #report(error: RiskGateError | undefined): void {
    const admission = this.#admission;
    this.#admission = undefined;
    if (!admission) return;
    // A request that was never sent, or that its callers gave up, says nothing about the service.
    const isSilent = error && (this.attempts === 0 || error.code === "ABORTED");
    const { breaker, now } = this.#client;
    breaker?.settle(admission, isSilent ? null : error, now());
  }

  async #askWithRetries(): Promise<T> {
    for (;;) {
      try {
        const answer = await this.#request();
        const error = this.#refusalOf(answer);
        if (error) throw error;
        return this.#settings.read(answer);
      } catch (thrown) {
        const error = thrown as RiskGateError;
        const { retries, now } = this.#client;
        const isUnread = this.#exchange?.isUnread === true;
        const most = isUnread ? Math.max(retries, 1) : retries;
        const pauseMs = isUnread ? 0 : Math.max(40 + Math.random() * 20, error.retryAfterMs ?? 0);
        const hasTime = now() + pauseMs < this.#dueMs;
        const hasAttempt = this.attempts > 0 && this.attempts <= most;
        if (!hasAttempt || !hasTime || !isTransient(error)) throw error;
        if (pauseMs > 0) await this.#pause(pauseMs);
      }
    }
  }

  /** Send one request, once there is a place for it. */
  #request(): Promise<Answer> {
    const { semaphore, transport } = this.#client;
    return this.#wait((resolve, reject) => {
      let exchange: Exchange | undefined;
      const leaveQueue = semaphore.acquire(() => {
        try {
          // The breaker may have opened while the call was in the queue.
          if (this.attempts === 0 && this.#admission === "call") this.#admit();
          // The connection of the first request may be bad, and so may others that are idle.
          exchange = transport.get(this.#settings.path, this.attempts > 0);
        } catch (error) {
          reject(error as RiskGateError);
          // Not at once: the next in the queue may be refused too, and so on down the stack.
          queueMicrotask(() => semaphore.release());
          return;
        }
        this.attempts++;
        this.#exchange = exchange;
        // The place is released with the connection, which for a cancelled call may be later.
        exchange.answer.finally(() => semaphore.release()).then(resolve, reject);
      });
      return () => {
        leaveQueue();
        exchange?.cancel();
      };
    });
  }

  /** The error of an answer, which is kept for callers whose time runs out. */
  #refusalOf(answer: Answer): RiskGateError | undefined {
    const { breaker, now, redact } = this.#client;
    const error = statusError(answer, redact);
    if (error) {
      this.#refused = error;
      breaker?.heed(error, now());
    }
    return error;
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

  /** The error for callers without time: what the service said, if it said anything. */
  #timeout(timeoutMs: number): RiskGateError {
    const head = this.#exchange?.head;
    if (head) {
      this.#exchange = undefined;
      this.#refusalOf(head);
    }
    if (this.#refused) return this.#refused;
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
