import { RiskGateError } from "../base/errors.js";
import { isAboutIdentifier } from "./upstream-status.js";

/** Settings of a {@link Breaker}. */
export interface BreakerSettings {
  /** Failed calls in a row after which no more are made; three are enough that span 1.5 seconds. */
  readonly failures: number;
  /** How long no call is made before one is tried. */
  readonly coolDownMs: number;
}

/** A call may be made, a trial may be made, or the call fails fast with this error. */
export type Admission = "call" | "trial" | RiskGateError;

/**
 * Stops calls to a service that keeps failing, so that lookups fail fast and the service can
 * recover; and calls before the time at which the service asks to come back. A pure state machine:
 * time is an argument.
 */
export interface Breaker {
  /** Ask to make a call. Each call that is admitted must end with {@link settle}. */
  admit(nowMs: number): Admission;
  /** The error for a call that would not be admitted now. */
  refusal(nowMs: number): RiskGateError | undefined;
  /** Make no call for as long as the error of one request asks. */
  heed(error: RiskGateError, nowMs: number): void;
  /**
   * Report how an admitted call ended.
   *
   * @param error What it failed with; undefined when it was answered, null when it was given up
   *   before anything could be learned from it.
   */
  settle(admission: Admission, error: RiskGateError | undefined | null, nowMs: number): void;
}

/**
 * Failed calls in a row that are enough when they span this time. Equal lookups share a call: while
 * only a few identifiers are asked about, a service that hangs would take long to fail many times.
 */
const FEW = 3;
const FEW_SPAN_MS = 1_500;

/** What an error says about the service. */
function verdictOf({ code, status }: RiskGateError): "fails" | "works" | "unknown" {
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
    // An odd identifier alone can lead to such an answer, and not from the service.
    default:
      return "unknown";
  }
}

/** Make a breaker that starts closed: it lets calls through. */
export function createBreaker({ failures, coolDownMs }: BreakerSettings): Breaker {
  let failed = 0;
  let failingSinceMs = 0;
  let isTripped = false;
  let last: RiskGateError | undefined;
  let openUntilMs = 0;
  let waitUntilMs = 0;
  let onTrial = false;

  /** The code stays that of the outage: what is decided by code does not change while it lasts. */
  const refusal = (nowMs: number): RiskGateError | undefined => {
    if (!last) return undefined;
    const isOpen = isTripped && (onTrial || nowMs < openUntilMs);
    const waitMs = Math.max(waitUntilMs - nowMs, 0);
    if (!isOpen && waitMs === 0) return undefined;
    const { code, status, retryAfterMs } = last;
    const why = isOpen ? `the last ${failed} calls failed` : "the service asked for a pause";
    return new RiskGateError(code, `Not asked: ${why}`, {
      ...(isOpen && { hint: `Look at the service; one call is tried every ${coolDownMs} ms` }),
      ...(status !== undefined && { status }),
      ...(retryAfterMs !== undefined && { retryAfterMs: Math.ceil(waitMs) }),
    });
  };

  return {
    refusal,

    admit(nowMs) {
      const error = refusal(nowMs);
      if (error) return error;
      if (!isTripped) return "call";
      onTrial = true;
      // Also for a trial that is given up: callers who leave early must not make it a flood.
      openUntilMs = nowMs + coolDownMs;
      return "trial";
    },

    heed(error, nowMs) {
      if (!error.retryAfterMs || verdictOf(error) !== "fails") return;
      last = error;
      waitUntilMs = Math.max(waitUntilMs, nowMs + error.retryAfterMs);
    },

    settle(admission, error, nowMs) {
      if (admission === "trial") onTrial = false;
      if (error === null) return;
      const verdict = error ? verdictOf(error) : "works";
      if (verdict === "works") {
        failed = 0;
        isTripped = false;
      }
      if (!error || verdict !== "fails") return;
      if (failed++ === 0) failingSinceMs = nowMs;
      isTripped ||= failed >= failures || (failed >= FEW && nowMs - failingSinceMs >= FEW_SPAN_MS);
      last = error;
      openUntilMs = nowMs + coolDownMs;
    },
  };
}
