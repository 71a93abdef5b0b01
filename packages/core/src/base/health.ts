import { limitTime } from "./time-limit.js";

/** How long to wait for a server that others run. */
export interface HealthSettings {
  /** Name of the server, for the message. */
  readonly name: string;
  /** Time for one command, in milliseconds. */
  readonly timeoutMs: number;
  /** While it is unhealthy: how long a command waits for it to come back; 0 to fail at once. */
  readonly waitMs: number;
  /** Sends something that any healthy server answers. */
  readonly ping: () => Promise<unknown>;
  /** Receives what made it unhealthy, once until it is healthy again; `alsoTell` adds others. */
  readonly onDown: (cause: unknown) => void;
}

/** While it is unhealthy it is asked again this often, and only when there is something to send. */
const PROBE_INTERVAL_MS = 250;

/**
 * Leaves a server alone while it does not answer: after a command that failed, only a ping is sent,
 * until one is answered. It has no timer of its own, and nothing to close.
 */
export class Health {
  readonly #settings: HealthSettings;
  readonly #told: HealthSettings["onDown"][];
  #isUp = true;
  #probe: Promise<void> | undefined;
  #probedMs = -Infinity;

  constructor(settings: HealthSettings) {
    this.#settings = settings;
    this.#told = [settings.onDown];
  }

  /** For one more that asks the same server and waits as long. */
  alsoTell(onDown: HealthSettings["onDown"]): this {
    this.#told.push(onDown);
    return this;
  }

  /** Send commands, unless Redis is unhealthy; rejects when they fail or take too long. */
  async run<T>(send: () => Promise<T>): Promise<T> {
    if (!this.#isUp) await this.#recover();
    try {
      return await limitTime(send(), this.#settings.timeoutMs);
    } catch (cause) {
      const wasUp = this.#isUp;
      this.#isUp = false;
      if (wasUp) for (const tell of this.#told) tell(cause);
      // Perhaps only this command failed: then the ping is answered before the next one is sent.
      this.#startProbe();
      throw cause;
    }
  }

  async #recover(): Promise<void> {
    const { name, waitMs } = this.#settings;
    this.#startProbe();
    if (waitMs > 0 && this.#probe) await limitTime(this.#probe, waitMs).catch(() => {});
    if (!this.#isUp) throw new Error(`${name} did not answer lately; the command was not sent`);
  }

  /** One at a time: a frozen server would get one more with each command. */
  #startProbe(): void {
    const nowMs = performance.now();
    if (this.#probe || nowMs - this.#probedMs < PROBE_INTERVAL_MS) return;
    this.#probedMs = nowMs;
    this.#probe = this.#ping();
  }

  async #ping(): Promise<void> {
    try {
      const startedMs = performance.now();
      await this.#settings.ping();
      // A slower answer than commands wait for would only make the next one fail.
      if (performance.now() - startedMs <= this.#settings.timeoutMs) this.#isUp = true;
    } catch {
      // Still unhealthy.
    } finally {
      this.#probe = undefined;
    }
  }
}
