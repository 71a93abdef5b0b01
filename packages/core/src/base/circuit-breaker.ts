/** When a circuit breaker opens, and for how long. */
export interface CircuitBreakerSettings {
  /** Failed calls in a row after which it opens. */
  readonly failures: number;
  /** Fewer failed calls are enough if they span this time. */
  readonly few?: { readonly failures: number; readonly spanMs: number };
  /** Time after a failure, or the start of a trial, before the next trial. */
  readonly coolDownMs: number;
  /** Whether the first trial may start at once: for one that is not a call of the application. */
  readonly triesAtOnce?: boolean;
}

/** How a call is admitted; each call or trial must end with {@link CircuitBreaker.settle}. */
export type Admission = "call" | "trial" | "refused";

/** Whether the server works, as far as the end of a call shows it. */
export type CallResult = "works" | "fails" | "unknown";

/**
 * Stops calls to a server that keeps failing, until one that is made as a trial works. It then fails
 * fast, and the server can recover. A pure state machine: time is an argument.
 */
export class CircuitBreaker {
  /** Failed calls in a row. */
  failed = 0;
  readonly #settings: CircuitBreakerSettings;
  #isOpen = false;
  #isTrying = false;
  #failingSinceMs = 0;
  #trialAtMs = 0;
  #pausedUntilMs = 0;

  constructor(settings: CircuitBreakerSettings) {
    this.#settings = settings;
  }

  /** Whether the server failed, and no trial has worked since. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Returns the rest of the pause that the server asked for, in milliseconds. */
  pauseMs(nowMs: number): number {
    return Math.max(this.#pausedUntilMs - nowMs, 0);
  }

  /** Makes no call for this time. */
  pause(ms: number, nowMs: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, nowMs + ms);
  }

  /** Whether a call would be refused now. */
  refuses(nowMs: number): boolean {
    const isClosing = this.#isOpen && (this.#isTrying || nowMs < this.#trialAtMs);
    return isClosing || nowMs < this.#pausedUntilMs;
  }

  /** Asks to make a call. */
  admit(nowMs: number): Admission {
    if (this.refuses(nowMs)) return "refused";
    if (!this.#isOpen) return "call";
    this.#isTrying = true;
    // Also for an aborted trial: callers who leave early must not turn trials into a flood.
    this.#trialAtMs = nowMs + this.#settings.coolDownMs;
    return "trial";
  }

  /** Reports how an admitted call ended. */
  settle(admission: Admission, result: CallResult, nowMs: number): void {
    if (admission === "trial") this.#isTrying = false;
    if (result === "works") {
      this.failed = 0;
      this.#isOpen = false;
    }
    if (result !== "fails") return;
    const { failures, few, coolDownMs, triesAtOnce } = this.#settings;
    if (this.failed++ === 0) this.#failingSinceMs = nowMs;
    const isLong = few && nowMs - this.#failingSinceMs >= few.spanMs;
    const wasOpen = this.#isOpen;
    this.#isOpen ||= this.failed >= failures || (isLong === true && this.failed >= few.failures);
    this.#trialAtMs = triesAtOnce && !wasOpen ? nowMs : nowMs + coolDownMs;
  }
}
