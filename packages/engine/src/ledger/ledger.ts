import { RiskGateError } from "@riskgate/core";

export interface LedgerEvent {
  readonly ip?: string;
  /** Account that the event concerns. */
  readonly email?: string;
  /** An attack, such as an injection; default false. */
  readonly highRisk?: boolean;
  /** Time of the event, in Unix milliseconds; default and maximum now. */
  readonly occurredAtMs?: number;
}

export interface History {
  readonly is_known_attacker: boolean;
  /** Number of high- and low-risk events. */
  readonly security_events_count: number;
  readonly high_risk_security_events_count: number;
  /**
   * Current weight of the events: 1 for a new one, 5 for a new high-risk one. Without it, all count
   * as new.
   */
  readonly weight?: number;
  /** Time of the last event, in Unix milliseconds. */
  readonly lastEventAtMs?: number;
}

/**
 * The record of events by address and account.
 *
 * Reads are synchronous, because every lookup makes one and must not wait. A ledger stored on disk
 * must keep this data in memory.
 */
export interface Ledger {
  record(event: LedgerEvent): void;
  /** Returns the history of an address in normal form (see `normalizeIp`), or undefined. */
  ipHistory(ip: string): History | undefined;
  /**
   * Returns the history of an account by its address (see `foldEmail`), or undefined. A ledger
   * compares mailboxes (see `mailboxOf`), because several spellings reach the same one.
   */
  emailHistory(email: string): History | undefined;
}

/** The part of a ledger that lookups use. */
export type LedgerReader = Omit<Ledger, "record">;

export const NO_HISTORY: History = {
  is_known_attacker: false,
  security_events_count: 0,
  high_risk_security_events_count: 0,
};

/**
 * Reads a history from a ledger, which may be application code.
 * @throws {RiskGateError} STORE_FAILED if it throws, or returns something that is not a history.
 */
export function readHistory(read: () => History | undefined): History {
  let history: History;
  try {
    history = read() ?? NO_HISTORY;
  } catch (cause) {
    throw new RiskGateError("STORE_FAILED", "the ledger threw while it was read", { cause });
  }
  const isWhole =
    typeof history.is_known_attacker === "boolean" &&
    isCount(history.security_events_count) &&
    isCount(history.high_risk_security_events_count) &&
    isAmount(history.weight) &&
    isAmount(history.lastEventAtMs);
  if (isWhole) return history;
  throw new RiskGateError(
    "STORE_FAILED",
    "expected a history from the ledger, given something else",
  );
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isAmount(value: unknown): boolean {
  return value === undefined || (typeof value === "number" && value >= 0 && value < Infinity);
}

/** Weight of a high-risk event relative to an ordinary one. */
export const HIGH_RISK_FACTOR = 5;
