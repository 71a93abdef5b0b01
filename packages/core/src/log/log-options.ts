import { createErrorReport, type ErrorHook } from "../base/error-report.js";
import type { OptionReader } from "../base/options.js";
import { type DigestSecret, type IdentityDigest, readIdentityDigest } from "./identity-digest.js";
import {
  readShipping,
  type ShippingOptions,
  type ShippingSettings,
} from "../outgoing/shipping-options.js";
import type { RiskGateError } from "../base/errors.js";

/** Options of every decision log. They are read once, own properties only. */
export interface QueuedLogOptions extends ShippingOptions {
  /**
   * Key of the digests that replace addresses: at least 32 bytes, for this log only. With another key
   * the same address has another digest.
   */
  readonly secret: DigestSecret;
  /** Whether all spellings that a mail provider treats as one mailbox have one digest; default true. */
  readonly providerRules?: boolean;
  /** Receives each failure to write; the records continue to wait. By default a warning every 10 seconds. */
  readonly onError?: ErrorHook;
  /** Receives dropped decisions, for each error code at once and then at most once a minute; by default a warning. */
  readonly onDrop?: (dropped: DroppedDecisions) => unknown;
}

/** Decisions that were lost since the last notice with this code. */
export interface DroppedDecisions {
  readonly decisions: number;
  /** The latest reason with this code. */
  readonly error: RiskGateError;
}

/** These options after reading. */
export interface QueuedLogSettings extends ShippingSettings {
  readonly digest: IdentityDigest;
  readonly report: ErrorHook;
  readonly onDrop: QueuedLogOptions["onDrop"] | undefined;
}

/**
 * Reads the options of every decision log. A sink reads its own options in addition.
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
