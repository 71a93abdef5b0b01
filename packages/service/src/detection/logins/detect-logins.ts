import type { EventGeo } from "@riskgate/core/payloads";
import type { EventFacts } from "../../model/event.js";
import type { Instant } from "../../model/instant.js";
import { describeEvent } from "../../model/event-kind.js";
import type { Located } from "../../model/place.js";
import { type WindowChange, WindowDraft, type WindowMap, type Windows } from "../windows.js";
import {
  type Failure,
  isRepeated,
  learnOwner,
  type Owner,
  type Passed,
  rememberFailure,
  rememberLatest,
  rememberScan,
  rememberSuccess,
  takeBack,
} from "./login-history.js";
import { aboutOf, type LoginSubject, subjectOf } from "./login-subject.js";
import type { LoginThresholds } from "./login-thresholds.js";
import type { LoginOutcome } from "./outcome.js";
import { type FailedLogins, namedAddresses, sourceOf, TAKEOVERS } from "./named-addresses.js";
import { accountScan, accountScanSuccess, realAccountScan } from "./rules/account-scan.js";
import { bruteforce, bruteforceSuccess } from "./rules/bruteforce.js";
import { multiLocations, newLocation } from "./rules/location.js";
import { isNewLogin, type LoginRule, type LoginView } from "./rules/login-rule.js";
import { torAttempt } from "./rules/tor.js";
import { stuffedLogins, type Strangers } from "./stuffing.js";
import { journeysAt, stopOf } from "./travel.js";

export interface LoginContext {
  readonly thresholds: LoginThresholds;
  /** True to count all spellings that a provider delivers to the same mailbox as one account. */
  readonly providerRules: boolean;
  locate(this: void, address: string): Located;
}

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
    passing: draft.map("passing"),
    strangers: draft.map("strangers"),
    reported: draft.map("reported"),
  };
  const detected = outcomes.map((outcome) => detectOne(maps, applicationId, outcome, context));
  return { detected, windows: draft.changes() };
}

interface LoginMaps {
  readonly owners: WindowMap<Owner>;
  readonly failing: WindowMap<readonly Failure[]>;
  readonly scanning: WindowMap<readonly Failure[]>;
  readonly passing: WindowMap<readonly Passed[]>;
  readonly strangers: WindowMap<Strangers>;
  readonly reported: WindowMap<Reported>;
}

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
  const { account: name, address, success, at, crossSite } = outcome;
  const subject = subjectOf(applicationId, outcome, providerRules, thresholds);
  const { account, network, accountKey, networkKey } = subject;
  const known = maps.owners.get(accountKey);
  const before = maps.failing.get(accountKey) ?? [];
  if (isRepeated(outcome, success ? (known?.successes ?? []) : before)) return undefined;

  const located = locate(address);
  const place = outcome.location ?? whereKnown(located.geo);
  const isKnownNetwork = known?.networks.includes(network) ?? false;
  const owner = success ? rememberSuccess(known, outcome, place, thresholds.windowMs) : known;
  const stop = success ? stopOf(outcome, located) : undefined;
  if (!success && !isKnownNetwork) {
    const exists = outcome.known ?? known !== undefined;
    const failure: Failure = { at, account, name, address, network, exists, crossSite };
    const scan = maps.scanning.get(networkKey) ?? [];
    maps.failing.set(accountKey, rememberFailure(before, failure, thresholds.windowMs));
    maps.scanning.set(networkKey, rememberScan(scan, failure, thresholds.windowMs));
  }
  const recent = recentLogins(maps, applicationId, subject, outcome, thresholds);
  const { failures, own, scanned, passedFrom } = recent;
  const view: LoginView = {
    success,
    failures: failures.length,
    remainingFailures: recent.remaining,
    ownFailures: own.length,
    failedAccounts: scanned.length,
    failedRealAccounts: scanned.filter(({ exists }) => exists).length,
    passedAccounts: passedFrom(network),
    isKnownNetwork,
    isKnownDevice: outcome.device === "known",
    isTor: located.isTor,
    place,
    knownPlaces: known?.places ?? [],
    journeys: stop ? journeysAt(owner?.stops ?? [], stop) : [],
  };

  const firing = firingRules(view, thresholds).map((rule) => {
    const bounds = { thresholds, hasOwner: (known?.networks.length ?? 0) > 0, passedFrom };
    const named = namedAddresses(rule.kind, outcome, network, recent, bounds);
    const facts = factsOf(rule, outcome, place, named, recent);
    return { rule, facts: { ...facts, ...rule.details?.(view, thresholds, outcome.account) } };
  });
  const takeovers = firing.filter(({ rule }) => TAKEOVERS.includes(rule.kind));
  const isNew = isNewLogin(view) && takeovers.length === 0;
  const stuffed = stuffedLogins(maps.strangers, applicationId, outcome, isNew, thresholds.windowMs);
  if (owner && success) {
    const isOwner =
      !(isNew && stuffed.length > 0) && takeovers.length === 0 && isBeyondDoubt(view, thresholds);
    maps.owners.set(accountKey, isOwner ? learnOwner(owner, network, place, stop) : owner);
    const isCertain = takeovers.some(({ facts }) => facts.ips.length > 0);
    passNetwork(maps, subject, at, thresholds);
    if (!isCertain) takeFailuresBack(maps, subject);
  }
  const news = firing
    .filter(({ rule, facts }) => {
      const key = `${applicationId}/${rule.kind}/${aboutOf(rule, subject, facts.ips.length > 0)}`;
      const size = rule.size?.(view) ?? 1;
      return isNews(maps.reported, key, { at, size }, thresholds.windowMs);
    })
    .map(({ facts }) => facts);
  return [...news, ...stuffed];
}

/** Returns true if the failures before a success do not look like guesses. */
function isBeyondDoubt(
  { failures, isKnownNetwork, isKnownDevice }: LoginView,
  { bruteforceFailures }: LoginThresholds,
): boolean {
  return isKnownNetwork || isKnownDevice || failures < bruteforceFailures;
}

/** Returns the logins within the window that count for an outcome. */
function recentLogins(
  { failing, scanning, passing }: LoginMaps,
  applicationId: string,
  { network, accountKey, networkKey }: LoginSubject,
  { at, crossSite }: LoginOutcome,
  { windowMs, addressFailures }: LoginThresholds,
) {
  const isRecent = (one: Passed): boolean => one.at > at - windowMs * 1000;
  // A script may mark every login as sent by another site; these form a separate count.
  const isCounted = (one: Failure): boolean => crossSite || !one.crossSite;
  const failures = (failing.get(accountKey) ?? []).filter(
    (one) => isRecent(one) && !one.isTakenBack,
  );
  const others = failures.filter((one) => one.network !== network);
  const isWithinBound = failures.length - others.length < addressFailures;
  return {
    failures,
    remaining: (isWithinBound ? others : failures).length,
    own: failures.filter((one) => one.network === network && isCounted(one)),
    scanned: (scanning.get(networkKey) ?? []).filter((one) => isRecent(one) && isCounted(one)),
    passedFrom: (from: string): number =>
      (passing.get(`${applicationId}/${from}`) ?? []).filter(isRecent).length,
  };
}

/** Records that an account logged in from a network. */
function passNetwork(
  { passing }: LoginMaps,
  { account, networkKey }: LoginSubject,
  at: Instant,
  { windowMs }: LoginThresholds,
): void {
  const passes = passing.get(networkKey) ?? [];
  passing.set(networkKey, rememberLatest(passes, { at, account }, windowMs));
}

/** Removes the failures of an account from a network. */
function takeFailuresBack(
  { failing, scanning }: LoginMaps,
  { account, network, accountKey, networkKey }: LoginSubject,
): void {
  const failures = failing.get(accountKey);
  if (failures?.some((one) => one.network === network)) {
    failing.set(accountKey, takeBack(failures, network));
  }
  const scan = scanning.get(networkKey);
  if (scan?.some((one) => one.account === account)) {
    scanning.set(
      networkKey,
      scan.filter((one) => one.account !== account),
    );
  }
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
  named: readonly string[],
  recent: FailedLogins,
): EventFacts {
  const { account, address, at, userAgent } = outcome;
  const isOfMany = about === "network";
  const key = { name: account.includes("@") ? "email" : "login", value: account };
  const isUnnamed = named.length === 0;
  return {
    kind,
    occurredAt: at,
    accountKeys: isOfMany ? [] : [key],
    accounts: isOfMany ? recent.scanned.map(({ name }) => name) : [account],
    ips: named.map((one) => (one === address ? { address: one, geo: place } : { address: one })),
    userAgents: userAgent === undefined ? [] : [userAgent],
    blocked: false,
    // It may be the owner who logs in while others attack the account.
    ...(isUnnamed && TAKEOVERS.includes(kind) && { highRisk: false }),
    ...(isUnnamed && {
      description: describeEvent(kind, account, sourceOf(kind, outcome, recent), ""),
    }),
  };
}

function whereKnown(geo: EventGeo): EventGeo | undefined {
  return geo.code === undefined && geo.point === undefined ? undefined : geo;
}
