import type { RiskGateError } from "@riskgate/core";
import type { Clock } from "../model/instant.js";
import type { Storage } from "../storage/storage.js";
import type { AttemptRecorder } from "./attempt-recorder.js";
import type { DeliverySettings } from "./delivery-settings.js";
import type { Listener } from "./destination-rule.js";
import type { DispatchNotice } from "./dispatch-notice.js";

export interface DispatchContext {
  readonly storage: Storage;
  /** Returns true if this process, and no other, now sends for an application. */
  readonly holds: (applicationId: string) => boolean;
  readonly settings: DeliverySettings;
  readonly clock: Clock;
  readonly nowMs: () => number;
  readonly random: () => number;
  readonly listeners: () => readonly Listener[];
  readonly notify: (notice: DispatchNotice) => void;
  readonly recorder: AttemptRecorder;
  /** Requests another pass over the queues. */
  readonly sweep: () => void;
  readonly stall: (error: RiskGateError) => void;
}
