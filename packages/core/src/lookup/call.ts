import type { Admission, Breaker } from "./circuit-breaker.js";
import type { Deadlines } from "../base/deadline.js";
import { RiskGateError } from "../base/errors.js";
import type { Flight } from "./single-flight.js";
import { isCertificateError } from "./network-error.js";
import { statusError } from "./answer.js";
import type { Slots } from "./semaphore.js";
import type { Answer, Transport } from "./transport.js";

/** What all calls of one client share. */
export interface Line {
  readonly transport: Transport;
  readonly slots: Slots;
  readonly deadlines: Deadlines;
  /** Length of the deadlines. */
  readonly timeoutMs: number;
  readonly breaker: Breaker | undefined;
  readonly retries: number;
  readonly now: () => number;
  /** The same, perhaps as of a moment ago. */
  readonly recent: () => number;
  /** Removes the API key from a text. */
  readonly redact: (text: string) => string;
}

/** What one call is to do. */
export interface Errand<T> {
  readonly path: string;
  /** Look elsewhere before the service is asked; undefined means to ask. Must not reject. */
  readonly recall: (() => Promise<T | undefined>) | undefined;
  /** Make the result of an answer with a status from 200 to 299, or throw a RiskGateError. */
  readonly read: (answer: Answer) => T;
  /** What may serve in place of an answer when the call fails, if anything. */
  readonly instead: (error: RiskGateError) => T | undefined;
}

/** Pause before the second attempt; spread, so that the clients of a service do not march in step. */
const pauseMs = (): number => 40 + Math.random() * 20;

/**
 * The way of one question to the service: other memory, breaker, queue, request, and perhaps a
 * second request; all under one deadline, and cancelled at any point.
 */
export class Call<T> implements Flight<T> {
  readonly result: Promise<T>;
  /** Requests sent so far. */
  attempts = 0;
  readonly #line: Line;
  readonly #errand: Errand<T>;
  readonly #dueMs: number;
  readonly #stopDeadline: () => void;
  #resolve!: (value: T) => void;
  #reject!: (error: RiskGateError) => void;
  #settled = false;
  #admission: Admission | undefined;
  /** Leaves whatever the call is waiting for right now. */
  #leave: () => void = () => {};

  constructor(line: Line, errand: Errand<T>) {
    this.#line = line;
    this.#errand = errand;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#dueMs = line.now() + line.timeoutMs;
    this.#stopDeadline = line.deadlines.start(() => this.cancel(this.#timeout()));
    if (errand.recall) void this.#recall(errand.recall);
    else this.#admit();
  }

  cancel(reason: RiskGateError): void {
    if (this.#settled) return;
    // An attempt that was never sent, or that its callers gave up, says nothing about the service.
    this.#settle(reason.code === "TIMEOUT" && this.attempts > 0 ? reason : null);
    this.#end(reason);
    this.#leave();
  }

  async #recall(recall: () => Promise<T | undefined>): Promise<void> {
    const found = await recall();
    if (this.#settled) return;
    if (found === undefined) this.#admit();
    else this.#succeed(found);
  }

  #admit(): void {
    const { breaker, now } = this.#line;
    const admission = breaker?.admit(now());
    if (admission instanceof RiskGateError) this.#fail(admission);
    else {
      this.#admission = admission;
      this.#queue();
    }
  }

  #queue(): void {
    const leave = this.#line.slots.take((free) => this.#send(free));
    if (leave) this.#leave = leave;
  }

  #send(free: () => void): void {
    this.attempts++;
    const exchange = this.#line.transport.get(this.#errand.path);
    this.#leave = () => exchange.cancel();
    // The place is given back when the connection is, which for a cancelled call may be later.
    exchange.answer.then(
      (answer) => {
        free();
        this.#judge(answer);
      },
      (error: RiskGateError) => {
        free();
        this.#failOrRetry(error);
      },
    );
  }

  #judge(answer: Answer): void {
    if (this.#settled) return;
    const error = statusError(answer, this.#line.redact);
    if (error) {
      this.#failOrRetry(error);
      return;
    }
    try {
      this.#succeed(this.#errand.read(answer));
    } catch (thrown) {
      this.#fail(thrown as RiskGateError);
    }
  }

  #failOrRetry(error: RiskGateError): void {
    if (this.#settled) return;
    const waitMs = Math.max(pauseMs(), error.retryAfterMs ?? 0);
    const hasRoom = this.#line.now() + waitMs < this.#dueMs;
    if (this.attempts > this.#line.retries || !hasRoom || !isPassing(error)) {
      this.#fail(error);
      return;
    }
    const timer = setTimeout(() => this.#queue(), waitMs);
    this.#leave = () => clearTimeout(timer);
  }

  #succeed(value: T): void {
    this.#settle(undefined);
    this.#resolve(value);
  }

  #fail(error: RiskGateError): void {
    this.#settle(error);
    this.#end(error);
  }

  #end(error: RiskGateError): void {
    const substitute = this.#errand.instead(error);
    if (substitute === undefined) this.#reject(error);
    else this.#resolve(substitute);
  }

  #settle(error: RiskGateError | undefined | null): void {
    this.#settled = true;
    this.#stopDeadline();
    if (this.#admission) this.#line.breaker?.settle(this.#admission, error, this.#line.now());
  }

  #timeout(): RiskGateError {
    const { timeoutMs } = this.#line;
    return new RiskGateError(
      "TIMEOUT",
      this.attempts > 0
        ? `Expected an answer within ${timeoutMs} ms, given none`
        : `Expected a free connection within ${timeoutMs} ms, given none`,
    );
  }
}

/** Tell whether the same request may well succeed a moment later. */
function isPassing(error: RiskGateError): boolean {
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
