import type { RiskGateError } from "@riskgate/core";
import type { DeliveryState } from "../model/delivery.js";

/** A notice about deliveries for the operator's logs and metrics. */
export type DispatchNotice =
  | AttemptNotice
  | {
      /** The endpoint failed for too long and no longer receives deliveries. */
      readonly type: "disabled";
      readonly applicationId: string;
      readonly reason: string;
    }
  | {
      /** A payload exceeds its application's limit and was sent alone. */
      readonly type: "oversized";
      readonly applicationId: string;
      readonly bytes: number;
      readonly maxBodyBytes: number;
    }
  | {
      /** Payloads were removed from the outbox unsent, because the application does not want them. */
      readonly type: "dropped";
      readonly applicationId: string;
      readonly count: number;
    }
  | {
      /** An operator sent deliveries in this state again. */
      readonly type: "retried";
      /** Undefined for all applications. */
      readonly applicationId: string | undefined;
      readonly state: DeliveryState;
      readonly count: number;
    }
  | {
      /** The storage failed; sending continues when it works again. */
      readonly type: "stalled";
      readonly error: RiskGateError;
    };

interface AttemptNotice {
  readonly type: "attempt";
  readonly applicationId: string;
  readonly deliveryId: string;
  /** New state of the delivery; `pending` if a retry follows. */
  readonly state: DeliveryState;
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
}
