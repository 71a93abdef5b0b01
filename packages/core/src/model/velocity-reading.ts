import { isScore } from "./score.js";

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

/** Returns true if a value of any origin is a reading: only points may become a score. */
export function isVelocityReading(value: unknown): value is VelocityReading {
  const { adds, signals } = (value ?? {}) as Partial<VelocityReading>;
  return isScore(adds) && Array.isArray(signals) && signals.every(isSignal);
}

function isSignal(value: unknown): value is VelocitySignal {
  const { name, count, weight } = (value ?? {}) as Partial<VelocitySignal>;
  const isKnown = VELOCITY_SUBJECTS.some((subject) => subject === name);
  return isKnown && Number.isSafeInteger(count) && isScore(weight);
}
