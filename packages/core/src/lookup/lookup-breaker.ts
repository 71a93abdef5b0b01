import { type Admission, type CallResult, CircuitBreaker } from "../base/circuit-breaker.js";
import { RiskGateError } from "../base/errors.js";
import { isAboutIdentifier } from "./upstream-status.js";

/** Settings of a {@link LookupBreaker}. */
export interface BreakerSettings {
  /** Failed calls in a row after which no more are made; three are enough that span 1.5 seconds. */
  readonly failures: number;
  /** How long no call is made before one is tried. */
  readonly coolDownMs: number;
}

/**
 * Failed calls in a row that are enough if they span this time. Equal lookups share a call: with only
 * a few identifiers, it would take long until a service that hangs has failed many times.
 */
const FEW = { failures: 3, spanMs: 1_500 };

/**
 * The circuit breaker of a client: it knows which errors are failures of the service, and heeds the
 * pause that the service asks for.
 */
export class LookupBreaker extends CircuitBreaker {
  readonly #coolDownMs: number;
  #last: RiskGateError | undefined;

  constructor(settings: BreakerSettings) {
    super({ ...settings, few: FEW });
    this.#coolDownMs = settings.coolDownMs;
  }

  /** Returns the error for a call that would be refused now. It has the code of the outage. */
  refusal(nowMs: number): RiskGateError | undefined {
    if (!this.#last || !this.refuses(nowMs)) return undefined;
    const { code, status, retryAfterMs } = this.#last;
    const why = this.isOpen
      ? `the last ${this.failed} calls failed`
      : "the service asked for a pause";
    return new RiskGateError(code, `not asked: ${why}`, {
      ...(this.isOpen && {
        hint: `Look at the service; one call is tried every ${this.#coolDownMs} ms`,
      }),
      ...(status !== undefined && { status }),
      ...(retryAfterMs !== undefined && { retryAfterMs: Math.ceil(this.pauseMs(nowMs)) }),
    });
  }

  /** Makes no call for as long as the error of one request asks. */
  heed(error: RiskGateError, nowMs: number): void {
    if (!error.retryAfterMs || resultOf(error) !== "fails") return;
    this.#last = error;
    this.pause(error.retryAfterMs, nowMs);
  }

  /**
   * Reports the error of an admitted call.
   *
   * @param error Undefined for a call that ended before it could show anything.
   */
  fail(admission: Admission, error: RiskGateError | undefined, nowMs: number): void {
    const result = error ? resultOf(error) : "unknown";
    if (error && result === "fails") this.#last = error;
    this.settle(admission, result, nowMs);
  }
}

/** Reads from an error whether the service works. */
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
    // An odd identifier alone can lead to this answer, and not from the service.
    default:
      return "unknown";
  }
}
