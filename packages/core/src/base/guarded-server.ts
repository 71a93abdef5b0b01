import { CircuitBreaker } from "./circuit-breaker.js";
import { monotonicMs } from "./clock.js";
import { limitTime } from "./time-limit.js";

export interface GuardedServerSettings {
  /** Name of the server, for messages. */
  readonly name: string;
  /** Time limit for one command, in milliseconds. */
  readonly timeoutMs: number;
  /** How long a command waits for the server to recover, in milliseconds; 0 to fail immediately. */
  readonly waitMs?: number;
  /** Sends a command that any healthy server accepts. By default the next command is the trial. */
  readonly ping?: () => Promise<unknown>;
  /** Interval between trials while the server does not respond, in milliseconds. Default 250. */
  readonly coolDownMs?: number;
  /** Receives the error of the first failed command, once until the server responds again. */
  readonly onDown?: (cause: unknown) => void;
  /** Monotonic clock in milliseconds; default `performance.now`. */
  readonly now?: () => number;
}

/**
 * Sends commands to a server through a circuit breaker: after a command fails, only trials are sent
 * until one succeeds. It uses no timer between commands, and need not be closed.
 */
export class GuardedServer {
  readonly #settings: GuardedServerSettings;
  readonly #breaker: CircuitBreaker;
  readonly #now: () => number;
  readonly #onDown: ((cause: unknown) => void)[] = [];
  #pinging: Promise<void> | undefined;

  constructor(settings: GuardedServerSettings) {
    const { ping, coolDownMs = 250, onDown, now = monotonicMs } = settings;
    this.#settings = settings;
    this.#breaker = new CircuitBreaker({
      failures: 1,
      coolDownMs,
      triesAtOnce: ping !== undefined,
    });
    this.#now = now;
    if (onDown) this.#onDown.push(onDown);
  }

  /** Whether a command would fail fast now. */
  get isOpen(): boolean {
    return this.#breaker.refuses(this.#now());
  }

  /** Adds another `onDown` hook, for a second user of the same server. */
  alsoReport(onDown: (cause: unknown) => void): this {
    this.#onDown.push(onDown);
    return this;
  }

  /** Sends commands; rejects if they fail, take too long, or the circuit breaker is open. */
  async run<T>(send: () => Promise<T>): Promise<T> {
    const { name, timeoutMs, ping } = this.#settings;
    if (ping && this.#breaker.isOpen) await this.#recover(ping);
    const admission = this.#breaker.isOpen && ping ? "refused" : this.#breaker.admit(this.#now());
    if (admission === "refused") {
      throw new Error(`${name} did not respond recently; the command was not sent`);
    }
    try {
      const result = await limitTime(send(), timeoutMs);
      if (admission === "trial") this.#breaker.settle(admission, "works", this.#now());
      return result;
    } catch (cause) {
      const wasOpen = this.#breaker.isOpen;
      this.#breaker.settle(admission, "fails", this.#now());
      if (!wasOpen) for (const onDown of this.#onDown) onDown(cause);
      // If only this command failed, the ping succeeds before the next command is sent.
      if (ping) this.#try(ping);
      throw cause;
    }
  }

  async #recover(ping: () => Promise<unknown>): Promise<void> {
    const { waitMs = 0 } = this.#settings;
    this.#try(ping);
    if (waitMs > 0 && this.#pinging) await limitTime(this.#pinging, waitMs, () => {});
  }

  /** One ping at a time: otherwise each command would add one to a server that hangs. */
  #try(ping: () => Promise<unknown>): void {
    if (this.#pinging || this.#breaker.admit(this.#now()) !== "trial") return;
    this.#pinging = this.#ping(ping);
  }

  async #ping(ping: () => Promise<unknown>): Promise<void> {
    const startedMs = this.#now();
    let isAnswered = false;
    try {
      await ping();
      // A command would not have waited longer.
      isAnswered = this.#now() - startedMs <= this.#settings.timeoutMs;
    } catch {
      // The server does not respond yet.
    }
    this.#pinging = undefined;
    this.#breaker.settle("trial", isAnswered ? "works" : "fails", this.#now());
  }
}
