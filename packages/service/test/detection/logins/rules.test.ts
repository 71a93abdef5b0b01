import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DETECTION_DEFAULTS } from "../../../src/detection/detection-settings.js";
import {
  accountScan,
  accountScanSuccess,
  realAccountScan,
} from "../../../src/detection/logins/rules/account-scan.js";
import { bruteforce, bruteforceSuccess } from "../../../src/detection/logins/rules/bruteforce.js";
import { multiLocations, newLocation } from "../../../src/detection/logins/rules/location.js";
import type { LoginRule, LoginView } from "../../../src/detection/logins/rules/login-rule.js";
import { torAttempt } from "../../../src/detection/logins/rules/tor.js";
import type { Journey } from "../../../src/detection/logins/travel.js";

const thresholds = DETECTION_DEFAULTS.logins;

const quiet: LoginView = {
  success: false,
  failures: 0,
  remainingFailures: 0,
  ownFailures: 0,
  failedAccounts: 0,
  failedRealAccounts: 0,
  passedAccounts: 0,
  isKnownNetwork: false,
  isKnownDevice: false,
  isTor: false,
  place: undefined,
  knownPlaces: [],
  journeys: [],
};

const paris = { city: "Paris", code: "FRA", point: [2.35, 48.85] as const };
const versailles = { city: "Versailles", code: "FRA", point: [2.13, 48.8] as const };
const london = { city: "London", code: "GBR", point: [-0.12, 51.5] as const };
const rome = { city: "Rome", code: "ITA", point: [12.5, 41.9] as const };

const journey = (km: number, kmh: number): Journey => {
  const stop = { at: 0, address: "8.8.8.8", place: paris };
  return { from: stop, to: stop, km, kmh };
};
const far = journey(5000, 5000);

/** Rule, what lies just below it, and what just above. */
const rows: readonly [LoginRule, Partial<LoginView>, Partial<LoginView>][] = [
  [bruteforce, { failures: 9 }, { failures: 10 }],
  [bruteforce, { failures: 10, isKnownNetwork: true }, { failures: 10 }],
  [bruteforce, { failures: 10, success: true }, { failures: 10 }],
  ...(
    [
      { remainingFailures: 9, failures: 30, success: true },
      { remainingFailures: 10 },
      { remainingFailures: 10, success: true, isKnownNetwork: true },
      { remainingFailures: 10, success: true, isKnownDevice: true },
    ] satisfies Partial<LoginView>[]
  ).map((below): (typeof rows)[number] => [
    bruteforceSuccess,
    below,
    { remainingFailures: 10, success: true },
  ]),
  [accountScan, { failedAccounts: 9 }, { failedAccounts: 10 }],
  [accountScan, { failedAccounts: 10, success: true }, { failedAccounts: 10 }],
  [
    accountScan,
    { failedAccounts: 10, passedAccounts: 41 },
    { failedAccounts: 10, passedAccounts: 40 },
  ],
  [
    realAccountScan,
    { failedRealAccounts: 5, passedAccounts: 21 },
    { failedRealAccounts: 5, passedAccounts: 20 },
  ],
  [realAccountScan, { failedRealAccounts: 4, failedAccounts: 99 }, { failedRealAccounts: 5 }],
  [
    accountScanSuccess,
    { success: true, ownFailures: 3, failedAccounts: 9 },
    { success: true, ownFailures: 3, failedAccounts: 10 },
  ],
  [
    accountScanSuccess,
    { success: true, ownFailures: 2, failedAccounts: 10 },
    { success: true, ownFailures: 3, failedAccounts: 10 },
  ],
  [
    accountScanSuccess,
    { success: true, ownFailures: 3, failedRealAccounts: 4 },
    { success: true, ownFailures: 3, failedRealAccounts: 5 },
  ],
  [
    accountScanSuccess,
    { success: true, ownFailures: 3, failedAccounts: 10, isKnownNetwork: true },
    { success: true, ownFailures: 3, failedAccounts: 10 },
  ],
  [
    accountScanSuccess,
    { success: true, ownFailures: 3, failedAccounts: 10, isKnownDevice: true },
    { success: true, ownFailures: 3, failedAccounts: 10 },
  ],
  [
    newLocation,
    { success: true, place: versailles, knownPlaces: [paris] },
    { success: true, place: london, knownPlaces: [paris] },
  ],
  [
    newLocation,
    { success: true, place: london, knownPlaces: [] },
    { success: true, place: london, knownPlaces: [paris, rome] },
  ],
  [
    newLocation,
    { success: true, place: london, knownPlaces: [paris, london] },
    { success: true, place: { code: "GBR" }, knownPlaces: [{ code: "FRA" }] },
  ],
  [
    newLocation,
    { success: true, place: undefined, knownPlaces: [paris] },
    { success: true, place: rome, knownPlaces: [paris] },
  ],
  [
    multiLocations,
    { success: true, journeys: [journey(499, 5000), journey(5000, 1000)] },
    { success: true, journeys: [journey(499, 5000), journey(500, 1001)] },
  ],
  [multiLocations, { journeys: [far] }, { success: true, journeys: [far] }],
  [
    multiLocations,
    { success: true, journeys: [{ ...far, to: { ...far.to, isKnownDevice: true } }] },
    { success: true, journeys: [{ ...far, from: { ...far.from, isKnownDevice: true } }] },
  ],
  [torAttempt, { isTor: false }, { isTor: true }],
];

describe("login rules", () => {
  it.each(rows)("$0.kind is silent for %#: $1", (rule, below) => {
    expect(rule.fires({ ...quiet, ...below }, thresholds)).toBe(false);
  });

  it.each(rows)("$0.kind fires for %#: $2", (rule, _, above) => {
    expect(rule.fires({ ...quiet, ...above }, thresholds)).toBe(true);
  });

  it("never fire on fewer events and not on more", () => {
    const place = fc.constantFrom(paris, versailles, london, rome, { code: "FRA" }, {});
    const count = fc.nat({ max: 30 });
    const travel = ({ km, kmh }: { km: number; kmh: number }) => journey(100 * km, 100 * kmh);
    const view = fc.record({
      success: fc.boolean(),
      failures: count,
      remainingFailures: count,
      ownFailures: count,
      failedAccounts: count,
      failedRealAccounts: count,
      passedAccounts: count,
      isKnownNetwork: fc.boolean(),
      isKnownDevice: fc.boolean(),
      isTor: fc.boolean(),
      place: fc.option(place, { nil: undefined }),
      knownPlaces: fc.array(place, { maxLength: 3 }),
      journeys: fc.array(fc.record({ km: count, kmh: count }).map(travel), { maxLength: 3 }),
    });
    const rules = [...new Set(rows.map(([rule]) => rule))];
    fc.assert(
      fc.property(view, count, count, count, (fewer, a, b, c) => {
        const more: LoginView = {
          ...fewer,
          failures: fewer.failures + a,
          remainingFailures: fewer.remainingFailures + a,
          ownFailures: fewer.ownFailures + a,
          failedAccounts: fewer.failedAccounts + b,
          failedRealAccounts: fewer.failedRealAccounts + c,
          journeys: [journey(100 * a, 100 * b), ...fewer.journeys],
        };
        for (const rule of rules) {
          if (rule.fires(fewer, thresholds)) expect(rule.fires(more, thresholds)).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
