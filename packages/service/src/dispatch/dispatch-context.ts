import type { RiskGateError } from "@riskgate/core";
import type { Clock } from "../storage/instant.js";
import type { Storage } from "../storage/storage.js";
import type { AttemptRecorder } from "./attempt-recorder.js";
import type { DispatchNotice } from "./dispatch-notice.js";
import type { DispatchSettings } from "./dispatch-settings.js";

/** What all lanes share. */
export interface DispatchContext {
  readonly storage: Storage;
  readonly settings: DispatchSettings;
  readonly clock: Clock;
  readonly notify: (notice: DispatchNotice) => void;
  readonly recorder: AttemptRecorder;
  /** Ask for a look at the queues. */
  readonly sweep: () => void;
  /** Report that the storage failed. */
  readonly stall: (error: RiskGateError) => void;
}
