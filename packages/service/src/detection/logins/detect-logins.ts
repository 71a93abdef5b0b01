import type { EventGeo, EventKind } from "@riskgate/core/payloads";
import { mailboxOf } from "@riskgate/core/address";
import type { EventFacts } from "../../model/event.js";
import { networkOf } from "../../model/network.js";
import { type WindowChange, WindowDraft, type WindowMap, type Windows } from "../windows.js";
import {
  type Failure,
  isRepeated,
  learnOwner,
  type Owner,
  rememberFailure,
  rememberScan,
  rememberSuccess,
} from "./login-history.js";
import type { LoginThresholds } from "./login-thresholds.js";
import type { LoginOutcome } from "./outcome.js";
import { accountScan, accountScanSuccess, realAccountScan } from "./rules/account-scan.js";
import { bruteforce, bruteforceSuccess } from "./rules/bruteforce.js";
import { multiLocations, newLocation } from "./rules/location.js";
import type { LoginRule, LoginView } from "./rules/login-rule.js";
import { torAttempt } from "./rules/tor.js";

/** Context for detection from login outcomes. */
export interface LoginContext {
  readonly thresholds: LoginThresholds;
  /** True to count all spellings that a provider delivers to the same mailbox as one account. */
  readonly providerRules: boolean;
  locate(this: void, address: string): { readonly geo: EventGeo; readonly isTor: boolean };
}

/** Results of login outcomes. */
export interface LoginChanges {
  /** Security events for each outcome; undefined for an outcome that was already reported. */
  readonly detected: readonly (readonly EventFacts[] | undefined)[];
  readonly windows: readonly WindowChange[];
}

/** The rules; a more serious one precedes those that it makes redundant. */
const RULES: readonly LoginRule[] = [
  bruteforceSuccess,
  accountScanSuccess,
  bruteforce,
  realAccountScan,
  accountScan,
  newLocation,
  multiLocations,
  torAttempt,
];

/** Events that show that the visitor does not own the account. */
const TAKEOVERS: readonly EventKind[] = ["auth_bruteforce_success", "auth_scan_success"];

/** Maximum number of addresses in one event. */
const MAX_IPS = 100;

/** Detects security events in an application's login outcomes. */
export function detectLogins(
  windows: Windows,
  applicationId: string,
  outcomes: readonly LoginOutcome[],
  context: LoginContext,
): LoginChanges {
  const draft = new WindowDraft(windows);
  const maps: LoginMaps = {
    owners: draft.map("owners"),
    failing: draft.map("failing"),
    scanning: draft.map("scanning"),
    reported: draft.map("reported"),
  };
  const detected = outcomes.map((outcome) => detectOne(maps, applicationId, outcome, context));
  return { detected, windows: draft.changes() };
}

interface LoginMaps {
  readonly owners: WindowMap<Owner>;
  readonly failing: WindowMap<readonly Failure[]>;
  readonly scanning: WindowMap<readonly Failure[]>;
  readonly reported: WindowMap<Reported>;
}

/** Time and size at which a rule last reported an event. */
interface Reported {
  readonly at: number;
  readonly size: number;
}

function detectOne(
  maps: LoginMaps,
  applicationId: string,
  outcome: LoginOutcome,
  context: LoginContext,
): readonly EventFacts[] | undefined {
  const { thresholds, providerRules, locate } = context;
  const { account: name, address, success, at } = outcome;
  const account = mailboxOf(name, providerRules);
  const network = networkOf(address, thresholds.ipv6Prefix);
  const accountKey = `${applicationId}/${account}`;
  const known = maps.owners.get(accountKey);
  const before = maps.failing.get(accountKey) ?? [];
  if (isRepeated(outcome, success ? (known?.successes ?? []) : before)) return undefined;

  const located = locate(address);
  const place = outcome.location ?? whereKnown(located.geo);
  const isKnownNetwork = known?.networks.includes(network) ?? false;
  const owner = success
    ? rememberSuccess(known, outcome, place, thresholds.multiLocationsWindowMs)
    : known;
  const networkKey = `${applicationId}/${network}`;
  if (!success && !isKnownNetwork) {
    const exists = outcome.known ?? known !== undefined;
    const failure: Failure = { at, account, name, address, exists };
    const scan = maps.scanning.get(networkKey) ?? [];
    maps.failing.set(accountKey, rememberFailure(before, failure, thresholds.windowMs));
    maps.scanning.set(networkKey, rememberScan(scan, failure, thresholds.windowMs));
  }
  const failures = maps.failing.get(accountKey) ?? [];
  const isRecent = (one: Failure): boolean => one.at > at - thresholds.windowMs * 1000;
  const scanned = (maps.scanning.get(networkKey) ?? []).filter(isRecent);
  const view: LoginView = {
    success,
    failures: failures.filter(isRecent).length,
    failedAccounts: scanned.length,
    failedRealAccounts: scanned.filter(({ exists }) => exists).length,
    isKnownNetwork,
    isTor: located.isTor,
    place,
    knownPlaces: known?.places ?? [],
    recentPlaces: (owner?.successes ?? [])
      .map((one) => one.place)
      .filter((one) => one !== undefined),
  };

  const firing = firingRules(view, thresholds);
  if (owner && success) {
    const wasTaken = firing.some(({ kind }) => TAKEOVERS.includes(kind));
    maps.owners.set(accountKey, wasTaken ? owner : learnOwner(owner, network, place));
  }
  const subjects = { account, network, both: `${account}/${network}` };
  return firing
    .filter((rule) => {
      const key = `${applicationId}/${rule.kind}/${subjects[rule.about]}`;
      const size = rule.size?.(view) ?? 1;
      return isNews(maps.reported, key, { at, size }, thresholds.windowMs);
    })
    .map((rule) => factsOf(rule, outcome, place, failures, scanned));
}

function firingRules(view: LoginView, thresholds: LoginThresholds): readonly LoginRule[] {
  return RULES.filter((rule) => rule.fires(view, thresholds)).filter(
    (rule, _, all) => rule !== accountScan || !all.includes(realAccountScan),
  );
}

/** Returns true if an attack should be reported: it is new, resumes after a pause, or has doubled. */
function isNews(
  reported: WindowMap<Reported>,
  key: string,
  now: Reported,
  windowMs: number,
): boolean {
  const last = reported.get(key);
  const hasPaused = last && Math.abs(now.at - last.at) >= windowMs * 1000;
  if (last && !hasPaused && now.size < 2 * last.size) return false;
  reported.set(key, now);
  return true;
}

function factsOf(
  { kind, about }: LoginRule,
  outcome: LoginOutcome,
  place: EventGeo | undefined,
  failures: readonly Failure[],
  scanned: readonly Failure[],
): EventFacts {
  const { account, address, at, userAgent } = outcome;
  // A brute-force event names the addresses of all failures. Other events name only one address,
  // because each success after a brute force would name the same addresses again.
  const seen = kind === "auth_bruteforce" ? failures : [];
  const others = new Set(seen.map((one) => one.address));
  others.delete(address);
  const isOfMany = about === "network";
  const key = { name: account.includes("@") ? "email" : "login", value: account };
  return {
    kind,
    occurredAt: at,
    accountKeys: isOfMany ? [] : [key],
    accounts: isOfMany ? scanned.map(({ name }) => name) : [account],
    ips: [
      { address, geo: place },
      ...[...others].slice(1 - MAX_IPS).map((one) => ({ address: one })),
    ],
    userAgents: userAgent === undefined ? [] : [userAgent],
    blocked: false,
  };
}

function whereKnown(geo: EventGeo): EventGeo | undefined {
  return geo.code === undefined && geo.point === undefined ? undefined : geo;
}
