import type { Awaitable } from "./awaitable.js";

/** What events are counted by, in the order of an explanation. */
export const VELOCITY_SUBJECTS = [
  "mailbox",
  "address",
  "ipv4_24",
  "ipv6_64",
  "domain",
  "asn",
] as const;

/**
 * What events are counted by: the mailbox in its normal form, the IP address, its network of 256
 * addresses (IPv4) or of one connection (IPv6), the domain of the email unless anybody can have a
 * mailbox there, and the autonomous system if the lookup names it.
 */
export type VelocitySubject = (typeof VELOCITY_SUBJECTS)[number];

/** The events that a velocity counts. */
export type VelocityEvent = "signups" | "failed_logins";

/** Identifiers of one event. Leave out those that are unknown. */
export interface VelocityFacts {
  readonly email?: string | null | undefined;
  readonly ip?: string | null | undefined;
  /** Number of the autonomous system that announces the address. */
  readonly asn?: number | null | undefined;
}

/** A subject with more events than its limit allows. */
export interface VelocitySignal {
  readonly name: VelocitySubject;
  /** Events in the window, this one included. */
  readonly count: number;
  /** Points, 0 to 100. */
  readonly weight: number;
}

/** The subjects of an event that exceed their limits. */
export interface VelocityReading {
  /** Points added to the score of the request: those of the strongest signal, 0 to 100. */
  readonly adds: number;
  /** Strongest first. */
  readonly signals: readonly VelocitySignal[];
}

/** Counts events by the identifiers in them. */
export interface Velocity {
  readonly counts: VelocityEvent;
  /** True if every call answers at once, without a promise. */
  readonly isSync: boolean;
  /**
   * Counts an event.
   *
   * @returns The subjects that exceed their limits; undefined if none does.
   * @throws {RiskGateError} STORE_FAILED, by throwing or by rejecting.
   */
  count(facts: VelocityFacts): Awaitable<VelocityReading | undefined>;
  /** Reads the counts without adding to them. */
  read(facts: VelocityFacts): Awaitable<VelocityReading | undefined>;
  /** Reads this process's own counts, at once; absent if there is no shared store. */
  readonly readAlone?: (facts: VelocityFacts) => VelocityReading | undefined;
}
