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
