import { RiskGateError } from "../base/errors.js";

/** Settings of a {@link Breaker}. */
export interface BreakerSettings {
  /** Failed calls in a row after which no more are made. */
  readonly failures: number;
  /** How long no call is made before one is tried. */
  readonly coolDownMs: number;
}

/** A call may be made, a trial may be made, or the call fails fast with this error. */
export type Admission = "call" | "trial" | RiskGateError;

/**
 * Stops calls to a service that keeps failing, so that lookups fail fast and the service can
 * recover. A pure state machine: time is an argument.
 */
export interface Breaker {
  /** Ask to make a call. Each call that is admitted must end with {@link settle}. */
  admit(nowMs: number): Admission;
  /**
   * Report how an admitted call ended.
   *
   * @param error What it failed with; undefined when it was answered, null when it was given up
   *   before anything could be learned from it.
   */
  settle(admission: Admission, error: RiskGateError | undefined | null, nowMs: number): void;
}

/** Errors about the question, such as 400 and 401, come from a service that works. */
function isOutage({ code, status = 0 }: RiskGateError): boolean {
  if (code === "UPSTREAM_STATUS") return status >= 500;
  return code === "NETWORK" || code === "TIMEOUT" || code === "RATE_LIMITED";
}

/** Make a breaker that starts closed: it lets calls through. */
export function createBreaker({ failures, coolDownMs }: BreakerSettings): Breaker {
  let failed = 0;
  let last: RiskGateError | undefined;
  let openUntilMs = 0;
  let onTrial = false;

  /** The code stays that of the outage: what is decided by code does not change while it lasts. */
  const refusal = ({ code, status, retryAfterMs }: RiskGateError): RiskGateError =>
    new RiskGateError(code, `Not asked: the last ${failed} calls failed`, {
      hint: `Look at the service; one call is tried every ${coolDownMs} ms`,
      ...(status !== undefined && { status }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    });

  return {
    admit(nowMs) {
      if (!last || failed < failures) return "call";
      if (onTrial || nowMs < openUntilMs) return refusal(last);
      onTrial = true;
      return "trial";
    },

    settle(admission, error, nowMs) {
      if (admission === "trial") onTrial = false;
      if (error === null) return;
      if (!error || !isOutage(error)) {
        failed = 0;
        return;
      }
      failed++;
      last = error;
      openUntilMs = nowMs + coolDownMs;
    },
  };
}
