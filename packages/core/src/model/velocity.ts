import type { Awaitable } from "./awaitable.js";
import type { VelocityReading } from "./velocity-reading.js";

export type VelocityEvent = "signups" | "failed_logins";

/** Identifiers in one event. Omit unknown ones. */
export interface VelocityFacts {
  readonly email?: string | null | undefined;
  readonly ip?: string | null | undefined;
  /** Number of the autonomous system that announces the address. */
  readonly asn?: number | null | undefined;
  /**
   * True if a page of another origin may have made the browser send the request. Such requests are
   * counted separately from others of their network (`docs/velocity.md`).
   */
  readonly crossSite?: boolean | undefined;
}

export interface Velocity {
  readonly counts: VelocityEvent;
  readonly isSync: boolean;
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
  read(facts: VelocityFacts): Awaitable<VelocityReading | undefined>;
  /** Reads this process's own counts synchronously; absent without a shared store. */
  readonly readAlone?: (facts: VelocityFacts) => VelocityReading | undefined;
}
