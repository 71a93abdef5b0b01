import { createErrorReport, type ErrorHook } from "../base/error-report.js";
import type { OptionReader } from "../base/options.js";
import { type DigestSecret, type IdentityDigest, readIdentityDigest } from "./identity-digest.js";
import {
  readShipping,
  type ShippingOptions,
  type ShippingSettings,
} from "../outgoing/shipping-options.js";
import type { RiskGateError } from "../base/errors.js";

/** Options common to all decision logs. Only own properties are read, once. */
export interface QueuedLogOptions extends ShippingOptions {
  /**
   * Key for the digests that replace addresses: at least 32 bytes, used only for this log. With a
   * different key, the same address has a different digest.
   */
  readonly secret: DigestSecret;
  /** Use one digest for all of a mailbox's spellings at its mail provider; default true. */
  readonly providerRules?: boolean;
  /** Receives write errors; the records stay queued. By default a warning every 10 seconds. */
  readonly onError?: ErrorHook;
  /** Receives dropped decisions, at most once a minute for each error code; default a warning. */
  readonly onDrop?: (dropped: DroppedDecisions) => unknown;
}

/** Decisions lost since the last notice with this code. */
export interface DroppedDecisions {
  readonly decisions: number;
  /** The latest error with this code. */
  readonly error: RiskGateError;
}

export interface QueuedLogSettings extends ShippingSettings {
  readonly digest: IdentityDigest;
  readonly report: ErrorHook;
  readonly onDrop: QueuedLogOptions["onDrop"] | undefined;
}

/**
 * Reads the options common to all decision logs. Each sink also reads its own options.
 *
 * @throws {RiskGateError} CONFIG_INVALID, which never shows the secret.
 */
export function readQueuedLog(options: OptionReader): QueuedLogSettings {
  return {
    digest: readIdentityDigest(options),
    ...readShipping(options, 8 * 1024 * 1024),
    report: createErrorReport(options.function<ErrorHook>("onError")),
    onDrop: options.function<NonNullable<QueuedLogOptions["onDrop"]>>("onDrop"),
  };
}
