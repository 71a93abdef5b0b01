import type { EventGeo, EventKind } from "@riskgate/core/payloads";
import { mailboxOf } from "@riskgate/core/address";
import type { EventFacts } from "../../model/event.js";
import {
  type Failure,
  isRepeated,
  learnOwner,
  type Owner,
  rememberFailure,
  rememberScan,
  rememberSuccess,
} from "./login-history.js";
import type { RuleState } from "../../intake/window-memory.js";
import { networkOf } from "../../model/network.js";
import type { LoginOutcome } from "./outcome.js";
import type { LoginThresholds } from "./login-thresholds.js";
import { accountScan, accountScanSuccess, realAccountScan } from "./rules/account-scan.js";
import { bruteforce, bruteforceSuccess } from "./rules/bruteforce.js";
import { multiLocations, newLocation } from "./rules/location.js";
import type { LoginRule, LoginView } from "./rules/login-rule.js";
import { torAttempt } from "./rules/tor.js";

/** Detects security events from login outcomes. */
export interface LoginWatch {
  /** Undefined for an outcome that was reported before. */
  observe(applicationId: string, outcome: LoginOutcome): readonly EventFacts[] | undefined;
}

/** What the watch needs. */
export interface LoginWatchParts {
  readonly ruleState: RuleState;
  readonly thresholds: LoginThresholds;
  /** Most accounts, and most networks, that are remembered. */
  readonly maxSubjects: number;
  /** Whether the spellings of a mailbox that its provider ignores are one account. */
  readonly providerRules: boolean;
  locate(this: void, address: string): { readonly geo: EventGeo; readonly isTor: boolean };
}

/** The rules, a graver one before those that it makes superfluous. */
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

/** After one of these, the visitor is not the owner of the account. */
const TAKEOVERS: readonly EventKind[] = ["auth_bruteforce_success", "auth_scan_success"];

/** How long the networks and places of an account's owner are known, at least. */
const OWNER_LIFETIME_MS = 30 * 24 * 3_600_000;

/** Create a watch that has seen nothing. */
export function createLoginWatch(parts: LoginWatchParts): LoginWatch {
  const { ruleState, thresholds, maxSubjects: maxEntries, providerRules, locate } = parts;
  const lifetimeMs = thresholds.windowMs;
  const owners = ruleState.map<Owner>("owners", { maxEntries, lifetimeMs: OWNER_LIFETIME_MS });
  const failing = ruleState.map<readonly Failure[]>("failing", { maxEntries, lifetimeMs });
  const scanning = ruleState.map<readonly Failure[]>("scanning", { maxEntries, lifetimeMs });
  const reported = ruleState.map<Report>("reported", { maxEntries, lifetimeMs });

  /** Whether to report a rule that fires: it is new, has paused, or is twice as large. */
  const isNews = (
    applicationId: string,
    rule: LoginRule,
    about: string,
    report: Report,
  ): boolean => {
    const key = `${applicationId}/${rule.kind}/${about}`;
    const last = reported.get(key);
    const hasPaused = last && Math.abs(report.at - last.at) >= thresholds.windowMs * 1000;
    if (last && !hasPaused && report.size < 2 * last.size) return false;
    reported.set(key, report);
    return true;
  };

  return {
    observe(applicationId, outcome) {
      const { account: name, address, success, at } = outcome;
      const account = mailboxOf(name, providerRules);
      const network = networkOf(address, thresholds.ipv6Prefix);
      const accountKey = `${applicationId}/${account}`;
      const networkKey = `${applicationId}/${network}`;
      const known = owners.get(accountKey);
      let failures = failing.get(accountKey) ?? [];
      let scan = scanning.get(networkKey) ?? [];
      if (isRepeated(outcome, success ? (known?.successes ?? []) : failures)) return undefined;

      const located = locate(address);
      const place = outcome.location ?? whereKnown(located.geo);
      const isKnownNetwork = known?.networks.includes(network) ?? false;
      const owner = success
        ? rememberSuccess(known, outcome, place, thresholds.multiLocationsWindowMs)
        : known;
      if (!success && !isKnownNetwork) {
        const exists = outcome.known ?? known !== undefined;
        const failure: Failure = { at, account, name, address, exists };
        failures = rememberFailure(failures, failure, thresholds.windowMs);
        scan = rememberScan(scan, failure, thresholds.windowMs);
        failing.set(accountKey, failures);
        scanning.set(networkKey, scan);
      }
      const isRecent = (one: Failure): boolean => one.at > at - thresholds.windowMs * 1000;
      const scanned = scan.filter(isRecent);
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

      const firing = RULES.filter((rule) => rule.fires(view, thresholds)).filter(
        (rule, _, all) => rule !== accountScan || !all.includes(realAccountScan),
      );
      if (owner && success) {
        const wasTaken = firing.some(({ kind }) => TAKEOVERS.includes(kind));
        owners.set(accountKey, wasTaken ? owner : learnOwner(owner, network, place));
      }

      const subjects = { account, network, both: `${account}/${network}` };
      return firing
        .filter((rule) =>
          isNews(applicationId, rule, subjects[rule.about], { at, size: rule.size?.(view) ?? 1 }),
        )
        .map((rule) => factsOf(rule, outcome, place, failures, scanned));
    },
  };
}

/** When and at what size a rule was last reported. */
interface Report {
  readonly at: number;
  readonly size: number;
}

/** Most addresses that one event names. */
const MAX_IPS = 100;

function factsOf(
  { kind, about }: LoginRule,
  outcome: LoginOutcome,
  place: EventGeo | undefined,
  failures: readonly Failure[],
  scanned: readonly Failure[],
): EventFacts {
  const { account, address, at, userAgent } = outcome;
  // A brute force comes from wherever its failures came from; all others from where this one did. The
  // successes behind it would name the same addresses again, each of them, as often as anybody likes.
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
