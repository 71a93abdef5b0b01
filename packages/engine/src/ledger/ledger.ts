import { RiskGateError } from "@riskgate/core";

/** What happened, and who was involved. */
export interface LedgerEvent {
  /** Address that the event came from. */
  readonly ip?: string;
  /** Account that the event is about. */
  readonly email?: string;
  /** An attack, for example an injection; by default false. */
  readonly highRisk?: boolean;
  /** When it happened, in Unix time in milliseconds; default now, which is also the latest. */
  readonly occurredAtMs?: number;
}

/** Record of one address or account. */
export interface History {
  readonly is_known_attacker: boolean;
  /** Events of high and low risk together. */
  readonly security_events_count: number;
  readonly high_risk_security_events_count: number;
  /**
   * Current weight of the events: 1 for a fresh one, 5 for a fresh high-risk one. Without it, all
   * count as fresh.
   */
  readonly weight?: number;
  /** When the last event happened, in Unix time in milliseconds. */
  readonly lastEventAtMs?: number;
}

/**
 * The record of events by address and account.
 *
 * Reads are synchronous: they are part of every lookup, and a lookup must not wait. A ledger that
 * lives on disk keeps in memory what it answers from.
 */
export interface Ledger {
  record(event: LedgerEvent): void;
  /** History of an address in its normal form (see `normalizeIp`), or undefined. */
  ipHistory(ip: string): History | undefined;
  /**
   * History of an account by its address (see `foldEmail`), or undefined. A ledger compares by
   * mailbox (see `mailboxOf`): the same mail arrives at more than one spelling.
   */
  emailHistory(email: string): History | undefined;
}

/** The history of an address or account without events. */
export const NO_HISTORY: History = {
  is_known_attacker: false,
  security_events_count: 0,
  high_risk_security_events_count: 0,
};

/**
 * Reads a history from a ledger, which may be application code.
 *
 * @throws {RiskGateError} STORE_FAILED when it throws, or returns something that is not a history.
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

/** A high-risk event weighs as much as this many ordinary ones. */
export const HIGH_RISK_FACTOR = 5;
