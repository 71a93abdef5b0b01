import { type Admission, type CallResult, CircuitBreaker } from "../base/circuit-breaker.js";
import { RiskGateError } from "../base/errors.js";
import { isAboutIdentifier } from "./upstream-status.js";

export interface BreakerSettings {
  /** Consecutive failed calls after which calls stop; three suffice if they span 1.5 seconds. */
  readonly failures: number;
  readonly coolDownMs: number;
}

/**
 * Consecutive failed calls that suffice if they span this time. Equal lookups share a call, so with
 * few identifiers a hanging service would take long to fail many times.
 */
const FEW = { failures: 3, spanMs: 1_500 };

/**
 * A client's circuit breaker. Only service failures count, and it respects the pause that the
 * service requests.
 */
export class LookupBreaker extends CircuitBreaker {
  readonly #coolDownMs: number;
  #last: RiskGateError | undefined;

  constructor(settings: BreakerSettings) {
    super({ ...settings, few: FEW });
    this.#coolDownMs = settings.coolDownMs;
  }

  /** Returns the error for a call that would be refused now, with the code of the outage. */
  refusal(nowMs: number): RiskGateError | undefined {
    if (!this.#last || !this.refuses(nowMs)) return undefined;
    const { code, status, retryAfterMs } = this.#last;
    const why = this.isOpen
      ? `the last ${this.failed} calls failed`
      : "the service requested a pause";
    return new RiskGateError(code, `no request sent: ${why}`, {
      ...(this.isOpen && {
        hint: `Check the service; one call is tried every ${this.#coolDownMs} ms`,
      }),
      ...(status !== undefined && { status }),
      ...(retryAfterMs !== undefined && { retryAfterMs: Math.ceil(this.pauseMs(nowMs)) }),
    });
  }

  heed(error: RiskGateError, nowMs: number): void {
    if (!error.retryAfterMs || resultOf(error) !== "fails") return;
    this.#last = error;
    this.pause(error.retryAfterMs, nowMs);
  }

  /**
   * Reports the error of an admitted call.
   * @param error Undefined for a call that ended without showing anything about the service.
   */
  fail(admission: Admission, error: RiskGateError | undefined, nowMs: number): void {
    const result = error ? resultOf(error) : "unknown";
    if (error && result === "fails") this.#last = error;
    this.settle(admission, result, nowMs);
  }
}

function resultOf({ code, status }: RiskGateError): CallResult {
  switch (code) {
    case "NETWORK":
    case "TIMEOUT":
    case "RATE_LIMITED":
      return "fails";
    case "UPSTREAM_STATUS":
      return isAboutIdentifier(status) ? "unknown" : "fails";
    case "BAD_REQUEST":
    case "UNAUTHORIZED":
      return "works";
    // An unusual identifier alone can cause this response, perhaps from a proxy.
    default:
      return "unknown";
  }
}
