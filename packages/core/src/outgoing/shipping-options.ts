import type { OptionReader } from "../base/options.js";
import type { QueueLimits } from "./batch-queue.js";

/** How reports and decisions are sent in the background. */
export interface ShippingOptions {
  /** How long they are gathered before they are sent together, in milliseconds. Default 1,000. */
  readonly intervalMs?: number;
  /** How many are sent together, 1 to 400; as many waiting are sent at once. Default 200. */
  readonly batchSize?: number;
  /** How many wait at most; further ones are dropped. Default 10,000. */
  readonly maxQueued?: number;
  /** Most bytes of JSON that wait; further ones are dropped. Default 4 MiB, for a decision log 8 MiB. */
  readonly maxQueuedBytes?: number;
  /** Longest time for `flush` and `close`, in milliseconds. Default 5,000. */
  readonly flushTimeoutMs?: number;
}

/** These options after reading. */
export interface ShippingSettings {
  readonly intervalMs: number;
  readonly limits: QueueLimits;
  readonly flushTimeoutMs: number;
}

/** The answer to more elements could exceed the bytes that are read. */
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
