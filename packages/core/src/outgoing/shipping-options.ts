import type { OptionReader } from "../base/options.js";
import type { QueueLimits } from "./batch-queue.js";

export interface ShippingOptions {
  /** How long they are collected before a batch is sent, in milliseconds. Default 1,000. */
  readonly intervalMs?: number;
  /** Batch size, 1 to 400; a full batch is sent immediately. Default 200. */
  readonly batchSize?: number;
  /** Maximum number in the queue; further ones are dropped. Default 10,000. */
  readonly maxQueued?: number;
  /**
   * Maximum bytes of JSON in the queue; further items are dropped. Default 4 MiB; for a log 8 MiB.
   */
  readonly maxQueuedBytes?: number;
  /** Time limit for `flush` and `close`, in milliseconds. Default 5,000. */
  readonly flushTimeoutMs?: number;
}

export interface ShippingSettings {
  readonly intervalMs: number;
  readonly limits: QueueLimits;
  readonly flushTimeoutMs: number;
}

/** The response to a larger batch could exceed the read limit. */
const MAX_BATCH_SIZE = 400;

/** @throws {RiskGateError} CONFIG_INVALID. */
export function readShipping(options: OptionReader, maxQueuedBytes: number): ShippingSettings {
  return {
    intervalMs: options.durationMs("intervalMs", 1_000),
    limits: {
      batchSize: options.integer("batchSize", 200, { max: MAX_BATCH_SIZE }),
      maxQueued: options.integer("maxQueued", 10_000),
      maxQueuedBytes: options.integer("maxQueuedBytes", maxQueuedBytes),
    },
    flushTimeoutMs: options.durationMs("flushTimeoutMs", 5_000),
  };
}
