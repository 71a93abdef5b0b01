import type { PayloadType } from "@riskgate/core/payloads";
import type { Instant } from "./instant.js";

/** A payload to deliver, or a report that only detection reads. */
export type LogType = PayloadType | "login" | "counters";

/** A reader of the log, with a position in the log of each application. */
export type Consumer = "detection" | "delivery";

export interface NewLogEntry {
  readonly type: LogType;
  /** Id by which a repeated report is recognised; without one, nothing is a repetition. */
  readonly eventId: string | null;
  readonly kind: string;
  readonly category: string;
  readonly occurredAt: Instant;
  readonly highRisk: boolean;
  /** `seq` of the entry from which this one was derived, which consumers skip. */
  readonly cause: number | null;
  /** JSON text. */
  readonly payload: string;
}

export interface LogEntry extends NewLogEntry {
  readonly seq: number;
  readonly applicationId: string;
  readonly receivedAt: Instant;
}

/** New entries of one application. */
export interface AppendOrder {
  readonly applicationId: string;
  readonly entries: readonly NewLogEntry[];
}

/** Number of partitions, into which the applications are divided by their ids. */
export const PARTITIONS = 256;

export const ALL_PARTITIONS: readonly number[] = Array.from(
  { length: PARTITIONS },
  (_, one) => one,
);

/** Returns the partition of an application: its id is random, so its first byte serves. */
export function partitionOf(applicationId: string): number {
  const byte = Number.parseInt(applicationId.slice(0, 2), 16);
  return Number.isNaN(byte) ? 0 : byte % PARTITIONS;
}
