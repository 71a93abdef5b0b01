import type { OptionReader } from "../base/options.js";
import { type BodyLimits, BodyMemory } from "./body-memory.js";

export interface BodyLimitOptions {
  /** Largest body, in bytes; default 5 MiB, which a full delivery of 1,000 payloads needs. */
  readonly maxBytes?: number;
  /**
   * Most memory for all bodies that arrive at the same time, in bytes; default 32 MiB, or `maxBytes`
   * if that is more. A body beyond it is answered 503.
   */
  readonly maxTotalBytes?: number;
  /** Time for the body to arrive, in milliseconds; default 10,000. */
  readonly bodyTimeoutMs?: number;
}

export function readBodyLimits(options: OptionReader): BodyLimits {
  const maxBytes = options.integer("maxBytes", 5 * MIB);
  const totalBytes = Math.max(32 * MIB, maxBytes);
  return {
    maxBytes,
    timeoutMs: options.durationMs("bodyTimeoutMs", 10_000),
    memory: new BodyMemory(options.integer("maxTotalBytes", totalBytes, { min: maxBytes })),
  };
}

const MIB = 1_048_576;
