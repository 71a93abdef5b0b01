import type { RiskGateError } from "@riskgate/core";
import type { Clock } from "../model/instant.js";
import type { Storage } from "../storage/storage.js";
import type { AttemptRecorder } from "./attempt-recorder.js";
import type { DeliverySettings } from "./delivery-settings.js";
import type { Listener } from "./destination-rule.js";
import type { DispatchNotice } from "./dispatch-notice.js";

/** Dependencies that the queues of all applications share. */
export interface DispatchContext {
  readonly storage: Storage;
  readonly settings: DeliverySettings;
  readonly clock: Clock;
  /** Monotonic clock in milliseconds, for durations. */
  readonly nowMs: () => number;
  /** Returns a number from 0 to below 1 to spread the retries. */
  readonly random: () => number;
  /** Returns the sockets on which this process listens: nothing is sent to them. */
  readonly listeners: () => readonly Listener[];
  readonly notify: (notice: DispatchNotice) => void;
  readonly recorder: AttemptRecorder;
  /** Requests another pass over the queues. */
  readonly sweep: () => void;
  /** Pauses sending after a storage failure. */
  readonly stall: (error: RiskGateError) => void;
}
