import type { RiskGateError } from "../base/errors.js";
import type { IgnoredElement } from "../model/delivery.js";
import { type RefusalCode, statusOf } from "../base/problem.js";

export interface Receipt {
  /** Status for the sender, which interprets nothing else: 200 to 299 is success. */
  readonly status: number;
  /** Why the delivery was refused or failed; missing on success. */
  readonly code?: RefusalCode;
  /** Secret that signed the delivery; missing if none matched. */
  readonly secretId?: string;
  /** Number of payloads whose handler succeeded now. */
  readonly handled: number;
  readonly duplicates: number;
  /** Elements that no handler received: unusable, unknown, or of a type without a handler. */
  readonly ignored: readonly IgnoredElement[];
  /** Payloads whose handler failed. */
  readonly failed: readonly FailedPayload[];
  /** Number of payloads not handled yet: time ran out, or another delivery is handling them. */
  readonly pending: number;
}

export interface FailedPayload {
  readonly index: number;
  /** Code HANDLER_FAILED, with the thrown error as `cause`. */
  readonly error: RiskGateError;
}

/** Creates a receipt; members that are not given are 0 or empty. */
export function makeReceipt(
  result: RefusalCode | 202 | 204,
  known: Partial<Omit<Receipt, "code">> = {},
): Receipt {
  const none = { handled: 0, duplicates: 0, ignored: [], failed: [], pending: 0 };
  return typeof result === "number"
    ? { status: result, ...none, ...known }
    : { status: statusOf(result), code: result, ...none, ...known };
}
