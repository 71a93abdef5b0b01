export interface CircuitBreakerSettings {
  /** Number of consecutive failed calls that opens the circuit breaker. */
  readonly failures: number;
  /** A smaller number of failed calls that suffices if they span this time. */
  readonly few?: { readonly failures: number; readonly spanMs: number };
  /** Time from a failure or the start of a trial to the next trial. */
  readonly coolDownMs: number;
  /** Whether the first trial may start immediately; for trials other than application calls. */
  readonly triesAtOnce?: boolean;
}

/** How a call is admitted; each call or trial must end with {@link CircuitBreaker.settle}. */
export type Admission = "call" | "trial" | "refused";

/** Condition of the server, as inferred from a call. */
export type CallResult = "works" | "fails" | "unknown";

/**
 * Stops calls to a server that keeps failing, until a trial call succeeds. Meanwhile calls fail
 * fast, and the server can recover. A pure state machine: time is an argument.
 */
export class CircuitBreaker {
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

  /** Whether the server has failed, and no trial has succeeded since. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Returns the remaining pause that the server requested, in milliseconds. */
  pauseMs(nowMs: number): number {
    return Math.max(this.#pausedUntilMs - nowMs, 0);
  }

  pause(ms: number, nowMs: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, nowMs + ms);
  }

  refuses(nowMs: number): boolean {
    const isClosing = this.#isOpen && (this.#isTrying || nowMs < this.#trialAtMs);
    return isClosing || nowMs < this.#pausedUntilMs;
  }

  admit(nowMs: number): Admission {
    if (this.refuses(nowMs)) return "refused";
    if (!this.#isOpen) return "call";
    this.#isTrying = true;
    // Also for an aborted trial: callers that leave early must not cause a flood of trials.
    this.#trialAtMs = nowMs + this.#settings.coolDownMs;
    return "trial";
  }

  /** Reports the outcome of an admitted call. */
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
