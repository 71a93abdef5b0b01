import type { OptionReader } from "../base/options.js";
import { type BodyLimits, BodyMemory } from "./body-memory.js";

export interface BodyLimitOptions {
  /**
   * Maximum size of a body, in bytes; default 5 MiB, enough for a full delivery of 1,000 payloads.
   */
  readonly maxBytes?: number;
  /**
   * Maximum memory for all bodies that arrive at the same time, in bytes; default 32 MiB, or
   * `maxBytes` if that is larger. Bodies beyond it get a 503.
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
