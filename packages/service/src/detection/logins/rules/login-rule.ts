import type { EventGeo, EventKind } from "@riskgate/core/payloads";
import type { LoginThresholds } from "../login-thresholds.js";

/** One login outcome with its circumstances. */
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
  /** Location of the visitor, if known. */
  readonly place: EventGeo | undefined;
  /** Earlier locations of the account's owner. */
  readonly knownPlaces: readonly EventGeo[];
  /** Locations of the recent successes, this one included. */
  readonly recentPlaces: readonly EventGeo[];
}

/** Detects a security event in login outcomes. */
export interface LoginRule {
  readonly kind: EventKind;
  /** Subject of an event: an attack on the same subject is not reported again while it continues. */
  readonly about: "account" | "network" | "both";
  fires(view: LoginView, thresholds: LoginThresholds): boolean;
  /** Size of the attack; at twice the size it is reported again. */
  size?(view: LoginView): number;
}
