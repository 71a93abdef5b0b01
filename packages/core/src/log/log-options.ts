import { createErrorReport, type ErrorHook } from "../base/error-report.js";
import type { OptionReader } from "../base/options.js";
import { type DigestSecret, type IdentityDigest, readIdentityDigest } from "./identity-digest.js";
import type { QueueLimits } from "../outgoing/batch-queue.js";
import type { RiskGateError } from "../base/errors.js";

/** Options of every decision log. They are read once, own properties only. */
export interface QueuedLogOptions {
  /**
   * Key of the digests that replace addresses: at least 32 bytes, for this log only. With another key
   * the same address has another digest.
   */
  readonly secret: DigestSecret;
  /** Whether all spellings that a mail provider treats as one mailbox have one digest; default true. */
  readonly providerRules?: boolean;
  /** How long records are gathered before they are written together, in milliseconds. Default 1,000. */
  readonly intervalMs?: number;
  /** Records that are written together, 1 to 400; as many waiting are written at once. Default 200. */
  readonly batchSize?: number;
  /** Most records that wait; further ones are dropped. Default 10,000. */
  readonly maxQueued?: number;
  /** Most bytes of JSON that wait; further records are dropped. Default 8 MiB. */
  readonly maxQueuedBytes?: number;
  /** Longest time for `flush` and `close`, in milliseconds. Default 5,000. */
  readonly flushTimeoutMs?: number;
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
export interface QueuedLogSettings {
  readonly digest: IdentityDigest;
  readonly intervalMs: number;
  readonly limits: QueueLimits;
  readonly flushTimeoutMs: number;
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
    intervalMs: options.durationMs("intervalMs", 1_000),
    limits: {
      batchSize: options.integer("batchSize", 200, { max: 400 }),
      maxQueued: options.integer("maxQueued", 10_000),
      maxQueuedBytes: options.integer("maxQueuedBytes", 8 * 1024 * 1024),
    },
    flushTimeoutMs: options.durationMs("flushTimeoutMs", 5_000),
    report: createErrorReport(options.function<ErrorHook>("onError")),
    onDrop: options.function<NonNullable<QueuedLogOptions["onDrop"]>>("onDrop"),
  };
}
