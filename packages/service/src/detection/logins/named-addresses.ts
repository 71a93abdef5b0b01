import type { EventKind } from "@riskgate/core/payloads";
import type { Failure } from "./login-history.js";
import type { LoginThresholds } from "./login-thresholds.js";
import type { LoginOutcome } from "./outcome.js";
import { isOutOfProportion } from "./rules/login-rule.js";

/** Events that show that the visitor may not own the account. */
export const TAKEOVERS: readonly EventKind[] = ["auth_bruteforce_success", "auth_scan_success"];

/** Maximum number of addresses that one event names. */
const MAX_IPS = 100;

export interface NetworkBounds {
  readonly thresholds: LoginThresholds;
  /** True if the account has logged in before without an attack, so that its owner is known. */
  readonly hasOwner: boolean;
  passedFrom(this: void, network: string): number;
}

/** Failures within the window. */
export interface FailedLogins {
  /** On the account, from any network. */
  readonly failures: readonly Failure[];
  /** The last one on each account, from the network. */
  readonly scanned: readonly Failure[];
}

/**
 * Returns the addresses that an event names, that of the outcome first. An attack on an account
 * names only addresses whose network failed on it beyond its own bound: all others may belong to
 * its owner, or be shared by many people. A success after failures names its address only if the
 * owner is known from other networks: otherwise it may be the owner's first login. Below `scanAccounts`, failures on real accounts name no
 * address, because several people may have mistyped at the same time. An outcome that another
 * site's page made the browser send names no address, unless the event is about the location of a
 * success.
 */
export function namedAddresses(
  kind: EventKind,
  outcome: LoginOutcome,
  network: string,
  { failures, scanned }: FailedLogins,
  bounds: NetworkBounds,
): readonly string[] {
  const { address, crossSite } = outcome;
  if (kind === "auth_new_location" || kind === "auth_multi_locations") return [address];
  if (TAKEOVERS.includes(kind)) {
    const isAttacker = !crossSite && bounds.hasOwner && attackersOf(failures, bounds).has(network);
    return isAttacker ? [address] : [];
  }
  if (kind === "auth_scan_real_accounts" && scanned.length < bounds.thresholds.scanAccounts) {
    return [];
  }
  if (kind !== "auth_bruteforce") return crossSite ? [] : [address];
  const attackers = attackersOf(failures, bounds);
  const own = failures.filter((one) => !one.crossSite && attackers.has(one.network));
  const named = new Set(own.map((one) => one.address));
  const isNamed = named.delete(address);
  return isNamed ? [address, ...[...named].slice(1 - MAX_IPS)] : [...named].slice(-MAX_IPS);
}

/** Describes the source of an outcome whose event names no address. */
export function sourceOf(
  kind: EventKind,
  { crossSite }: LoginOutcome,
  { failures }: FailedLogins,
): string {
  const isSpread = failures.some(({ network }) => network !== failures[0]?.network);
  if (kind === "auth_bruteforce" && isSpread) return "several addresses";
  if (crossSite) return "the page of another site";
  return TAKEOVERS.includes(kind) ? "a network that is new to the account" : "one network";
}

/**
 * Returns networks that failed on an account beyond their own bound, relative to their successes.
 */
function attackersOf(
  failures: readonly Failure[],
  { thresholds, passedFrom }: NetworkBounds,
): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { crossSite, network } of failures) {
    if (!crossSite) counts.set(network, (counts.get(network) ?? 0) + 1);
  }
  const attackers = [...counts].filter(
    ([network, count]) =>
      count >= thresholds.addressFailures &&
      isOutOfProportion(count, passedFrom(network), thresholds),
  );
  return new Set(attackers.map(([network]) => network));
}
