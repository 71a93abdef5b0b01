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
  /** Monotonic clock in milliseconds, for all that lasts. */
  readonly nowMs: () => number;
  /** From 0 to below 1; spreads the retries. */
  readonly random: () => number;
  /** Where this process listens: nothing is sent there. */
  readonly listeners: () => readonly Listener[];
  readonly notify: (notice: DispatchNotice) => void;
  readonly recorder: AttemptRecorder;
  /** Asks for another sweep over the queues. */
  readonly sweep: () => void;
  /** Reports that the storage failed. */
  readonly stall: (error: RiskGateError) => void;
}
