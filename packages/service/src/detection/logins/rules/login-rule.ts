import type { EventGeo, EventKind } from "@riskgate/core/payloads";
import type { EventFacts } from "../../../model/event.js";
import type { LoginThresholds } from "../login-thresholds.js";
import type { Journey } from "../travel.js";

export interface LoginView {
  readonly success: boolean;
  /**
   * Failures on the account within the window, including this outcome. Here and below, failures
   * from networks from which the owner has logged in do not count, because owners mistype
   * passwords.
   */
  readonly failures: number;
  /** Those of them that a success from the network would not cancel. */
  readonly remainingFailures: number;
  /** Those of them from the network. */
  readonly ownFailures: number;
  /** Accounts with failures from the network within the window, including this one. */
  readonly failedAccounts: number;
  readonly failedRealAccounts: number;
  /** Accounts that succeeded from the network within the window. */
  readonly passedAccounts: number;
  /** True if the account's owner has already logged in from this network. */
  readonly isKnownNetwork: boolean;
  /** True if the account has logged in from this browser before. */
  readonly isKnownDevice: boolean;
  readonly isTor: boolean;
  readonly place: EventGeo | undefined;
  readonly knownPlaces: readonly EventGeo[];
  /** To this login from the one before, and from it to the one after. */
  readonly journeys: readonly Journey[];
}

export interface LoginRule {
  readonly kind: EventKind;
  /** Subject of an event: an attack on the same subject is not reported again while it continues. */
  readonly about: "account" | "network" | "both";
  fires(view: LoginView, thresholds: LoginThresholds): boolean;
  /** Size of the attack; at twice the size it is reported again. */
  size?(view: LoginView): number;
  /** Members of the event that only this rule knows. */
  details?(view: LoginView, thresholds: LoginThresholds, account: string): Partial<EventFacts>;
}

/** Returns true for a success from a network and a browser that the owner has never used. */
export function isNewLogin({ success, isKnownNetwork, isKnownDevice }: LoginView): boolean {
  return success && !isKnownNetwork && !isKnownDevice;
}

/** Returns true if the failures are an attack, relative to the accounts that succeed. */
export function isOutOfProportion(
  failures: number,
  passedAccounts: number,
  { failureShare }: LoginThresholds,
): boolean {
  return failures >= failureShare * (failures + passedAccounts);
}
