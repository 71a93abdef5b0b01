import type { EventGeo, EventKind } from "@riskgate/core/payloads";
import type { LoginThresholds } from "../login-thresholds.js";

/** What the rules about logins read: one outcome, and what was going on around it. */
export interface LoginView {
  readonly success: boolean;
  /**
   * Failures on the account within the window, this outcome included. What the owner mistypes does
   * not count, here and below: it comes from a network that they have logged in from before.
   */
  readonly failures: number;
  /** Accounts that the network failed on within the window, this one included. */
  readonly failedAccounts: number;
  /** How many of those accounts there really are. */
  readonly failedRealAccounts: number;
  /** The owner of the account has logged in from this network before. */
  readonly isKnownNetwork: boolean;
  readonly isTor: boolean;
  /** Where the visitor is; undefined where that is not known. */
  readonly place: EventGeo | undefined;
  /** Where the owner of the account has logged in from before. */
  readonly knownPlaces: readonly EventGeo[];
  /** Where the successes of the last while came from, this one included. */
  readonly recentPlaces: readonly EventGeo[];
}

/** Detects a security event in login outcomes. */
export interface LoginRule {
  readonly kind: EventKind;
  /** What an event is about: while the same goes on it is not reported again and again. */
  readonly about: "account" | "network" | "both";
  fires(view: LoginView, thresholds: LoginThresholds): boolean;
  /** How large the attack is; it is reported again at twice the size. */
  size?(view: LoginView): number;
}
