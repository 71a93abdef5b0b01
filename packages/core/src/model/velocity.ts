import type { Awaitable } from "./awaitable.js";
import type { VelocityReading } from "./velocity-reading.js";

export type VelocityEvent = "signups" | "failed_logins";

/** Identifiers in one event. Omit unknown ones. */
export interface VelocityFacts {
  readonly email?: string | null | undefined;
  readonly ip?: string | null | undefined;
  /** Number of the autonomous system that announces the address. */
  readonly asn?: number | null | undefined;
  /** Values of the keys in the option `by`; digests of them are counted. */
  readonly keys?: Readonly<Record<string, string>> | undefined;
  /**
   * True if a page of another origin may have made the browser send the request. Such requests are
   * counted separately from others of their network (`docs/velocity.md`).
   */
  readonly crossSite?: boolean | undefined;
}

/** By counter, the number of logins that began earlier and whose outcome is not yet known. */
export type LoginsAhead = ReadonlyMap<string, number>;

export interface Velocity {
  readonly counts: VelocityEvent;
  readonly isSync: boolean;
  /**
   * Reads the values of the option `by` in a request; absent without the option.
   * @param failed Receives the errors of the application's functions; the key is then missing.
   */
  readonly keysOf?: (
    request: unknown,
    failed: (name: string, cause: unknown) => void,
  ) => Readonly<Record<string, string>>;
  /**
   * Counts an event: a sign-up or a failed login.
   * @returns The subjects that exceed their limits; undefined if none does.
   * @throws {RiskGateError} STORE_FAILED, by throwing or by rejecting.
   */
  count(facts: VelocityFacts): Awaitable<VelocityReading | undefined>;
  /**
   * Counts a successful login, and removes the failures of its account at its address; absent if
   * sign-ups are counted. Rejects or throws like `count`.
   */
  readonly succeeded?: (facts: VelocityFacts) => Awaitable<void>;
  /**
   * Begins a login before its password is checked, so that logins sent at once share one limit; once
   * for each request. It ends after 10 seconds at the latest. Absent if sign-ups are counted.
   */
  readonly begin?: (request: object, facts: VelocityFacts) => LoginsAhead;
  /** Ends a login whose outcome has been counted or will never be known. */
  readonly end?: (request: object) => void;
  /** @param ahead Logins in this process to add to the counts, as returned by `begin`. */
  read(facts: VelocityFacts, ahead?: LoginsAhead): Awaitable<VelocityReading | undefined>;
  /** Reads this process's own counts synchronously; absent without a shared store. */
  readonly readAlone?: (facts: VelocityFacts, ahead?: LoginsAhead) => VelocityReading | undefined;
}
