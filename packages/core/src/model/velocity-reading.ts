import { isScore } from "./score.js";

/** Subjects by which events are counted, in the order used by explanations. */
export const VELOCITY_SUBJECTS = [
  "mailbox",
  "mailbox_day",
  "address",
  "ipv4_24",
  "ipv6_64",
  "domain",
  "asn",
] as const;

/**
 * Subject by which events are counted: the mailbox in normal form, the same within 24 windows, the IP address, its network of
 * 256 addresses (IPv4) or of one connection (IPv6), the email domain unless it is open to
 * everybody, and the autonomous system if the lookup returns it.
 */
export type VelocitySubject = (typeof VELOCITY_SUBJECTS)[number];

/** A subject of the application: its name in the option `by` of `createVelocity`. */
export type VelocityKey = `by.${string}`;

/**
 * Signal for the logins from one address or `/64` whose passwords are being checked at the same time,
 * if they exceed its limit together with the failed ones.
 */
export const IN_FLIGHT = "in_flight";

/** A subject with more events than its limit allows. */
export interface VelocitySignal {
  readonly name: VelocitySubject | VelocityKey | typeof IN_FLIGHT;
  /** Events in the window, including this one. */
  readonly count: number;
  /** Points, 0 to 100. */
  readonly weight: number;
}

/**
 * Subjects that only the sender of a request can fill: its address and the network of its
 * connection.
 */
const OWN: ReadonlySet<string> = new Set(["address", "ipv6_64"]);

const KEY = /^by\.[a-z]\w{0,29}$/i;

/** The subjects of an event that exceed their limits. */
export interface VelocityReading {
  /** Points of the strongest of the request's own subjects, `address` and `ipv6_64`: 0 to 100. */
  readonly adds: number;
  /**
   * Points of the strongest subject that others can fill: 0 to 100, absent for 0. They raise a score up
   * to `rejectAbove`, so they never refuse a request.
   */
  readonly sharedAdds?: number;
  /** Strongest first. */
  readonly signals: readonly VelocitySignal[];
}

/** Returns the reading for sorted signals. */
export function readingOf(signals: readonly VelocitySignal[]): VelocityReading {
  const strongest = (isOwn: boolean): number =>
    signals.find(({ name }) => OWN.has(name) === isOwn)?.weight ?? 0;
  const sharedAdds = strongest(false);
  return { adds: strongest(true), ...(sharedAdds > 0 && { sharedAdds }), signals };
}

/**
 * Divides a reading whose `adds` may contain points of subjects that others can fill: from an older
 * record, or added by a step.
 */
export function dividedReading(reading: VelocityReading): VelocityReading {
  const { sharedAdds, signals } = reading;
  if (sharedAdds !== undefined || signals.every(({ name }) => OWN.has(name))) return reading;
  return readingOf(signals.toSorted((one, other) => other.weight - one.weight));
}

/** Returns true if a value of any origin is a reading: only points may become a score. */
export function isVelocityReading(value: unknown): value is VelocityReading {
  const { adds, sharedAdds = 0, signals } = (value ?? {}) as Partial<VelocityReading>;
  const hasPoints = isScore(adds) && isScore(sharedAdds);
  return hasPoints && Array.isArray(signals) && signals.every(isSignal);
}

function isSignal(value: unknown): value is VelocitySignal {
  const { name, count, weight } = (value ?? {}) as Partial<VelocitySignal>;
  return isVelocityName(name) && Number.isSafeInteger(count) && isScore(weight);
}

export function isVelocityName(name: unknown): name is VelocitySignal["name"] {
  return (
    name === IN_FLIGHT ||
    VELOCITY_SUBJECTS.some((subject) => subject === name) ||
    (typeof name === "string" && KEY.test(name))
  );
}

/** Returns true for subjects whose counts only the sender of a request can drive up. */
export function isOwnSubject(name: string): boolean {
  return OWN.has(name);
}
