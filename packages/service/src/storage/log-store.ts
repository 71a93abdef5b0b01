import type { Instant } from "../model/instant.js";
import type { AppendOrder, Consumer, LogEntry, NewLogEntry } from "../model/log-entry.js";

/** The log of each application: what it reported, and what was derived from that. */
export interface Log {
  /**
   * Appends entries for several applications, each in order and atomically with all others.
   *
   * @returns For each order, the `seq` of each entry, or undefined for a repeated id; undefined in
   * place of the list for an unknown application.
   */
  append(
    orders: readonly AppendOrder[],
  ): Promise<readonly (readonly (number | undefined)[] | undefined)[]>;
  /**
   * Appends entries that were derived, in the transaction that has moved the detection. It does not hold
   * the log, so that reports never wait for a detection: deliveries do (see `awaitDetection`).
   */
  derive(
    applicationId: string,
    entries: readonly NewLogEntry[],
  ): Promise<readonly (number | undefined)[]>;
  /**
   * Waits until no transaction derives entries, and prevents others until the current transaction ends:
   * a delivery that moves past a number has then missed nothing before it.
   */
  awaitDetection(applicationId: string): Promise<void>;
  /**
   * Waits until reports that are being appended are stored. Together with `awaitDetection`, nothing with
   * a lower number than what is visible can appear later. It holds nothing: reports do not wait.
   */
  awaitAppends(applicationId: string): Promise<void>;
  /**
   * Reads reported entries in order, except those that are to be erased.
   *
   * @param known Entries whose payload the caller has: it is empty, unless it was erased.
   */
  read(
    applicationId: string,
    afterSeq: number,
    limit: number,
    known?: readonly number[],
  ): Promise<readonly LogEntry[]>;
  /** Returns the entries that were derived from those with the given numbers. */
  derivedFrom(applicationId: string, seqs: readonly number[]): Promise<readonly LogEntry[]>;
  /**
   * Returns, for each application with entries that detection is to read, when the oldest was received.
   *
   * @param partitions Partitions of the applications; default all.
   */
  lag(partitions?: readonly number[]): Promise<readonly DetectionLag[]>;
  position(applicationId: string, consumer: Consumer): Promise<number>;
  /** Returns how far detection has read, and how often it has stored anything. */
  detected(applicationId: string): Promise<DetectionCursor>;
  /**
   * Moves a consumer, within the transaction that stores what it did. The row stays locked until the
   * transaction ends, so that of two processes that take themselves for the owner one moves on, and
   * the other learns that it is not.
   *
   * @returns False if the consumer is not at `from`, or the revision `detection` is not the given one.
   */
  move(applicationId: string, consumer: Consumer, step: CursorStep): Promise<boolean>;
  /** Moves a consumer to the end of the log, past all that is waiting. */
  skip(applicationId: string, consumer: Consumer): Promise<void>;
  /** Deletes entries that only detection reads, once it has read them. */
  dropRead(applicationId: string, fromSeq: number, toSeq: number): Promise<void>;
}

export interface DetectionLag {
  readonly applicationId: string;
  readonly oldestAt: Instant;
  readonly oldestSeq: number;
  /** The last entry of the log, which may be a derived one. */
  readonly lastSeq: number;
}

interface DetectionCursor {
  readonly position: number;
  readonly version: number;
}

export interface CursorStep {
  readonly from: number;
  readonly to: number;
  /** Version that the consumer knows. A sweep stores results, but does not change the position. */
  readonly version: number;
  /** Revision `detection` that the consumer knows. */
  readonly revision: number;
}

/**
 * Divides the applications among the processes. Leases end by the clock of the database, the only one
 * that all processes share.
 */
export interface Partitions {
  /** False if this process is the only one on the database. */
  readonly isShared: boolean;
  /**
   * Shows that a process runs, and renews its leases.
   *
   * @returns The partitions that it owns, with their epochs, and the number of running processes.
   */
  renew(process: string, leaseMs: number): Promise<Renewed>;
  /** Takes up to `limit` partitions without an owner. */
  take(process: string, limit: number, leaseMs: number): Promise<void>;
  release(process: string, partitions: readonly number[]): Promise<void>;
  /** Removes a process that stops, with all its leases. */
  leave(process: string): Promise<void>;
  /** Returns the running processes with their partitions, by name. */
  processes(): Promise<readonly RunningProcess[]>;
}

/** A process as others see it. */
export interface RunningProcess {
  /** Host and process id. */
  readonly name: string;
  readonly partitions: readonly number[];
  /** Milliseconds by which its clock is ahead of that of the database. */
  readonly clockAheadMs: number;
}

interface Renewed {
  /** Owned partitions; the epoch grows each time that the owner changes. */
  readonly owned: ReadonlyMap<number, number>;
  readonly members: number;
}
