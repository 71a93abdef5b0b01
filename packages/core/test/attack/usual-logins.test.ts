import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unusualLogins, usualLogins } from "../../src/attack/usual-logins.js";
import type { LoginCounts } from "../../src/model/attack.js";

const counts = (known: number, fresh: number, failed: number, attacked = 0): LoginCounts => ({
  known,
  fresh,
  failed,
  attacked,
});
const week = (one: LoginCounts): readonly LoginCounts[] => Array.from({ length: 18 }, () => one);
const ordinary = week(counts(900, 100, 16));

describe("usualLogins", () => {
  it("knows nothing about a route without earlier weeks", () => {
    expect(usualLogins([[], [], [], []], 30)).toEqual({
      failures: 0,
      limit: 30,
      newDeviceLimit: Infinity,
      strangers: undefined,
      failedShare: undefined,
      newShare: undefined,
    });
    expect(usualLogins([ordinary.slice(0, 5)], 30).failedShare).toBeUndefined();
  });

  it("allows six deviations above the median, which vary at least like random arrivals", () => {
    expect(usualLogins([ordinary], 30)).toEqual({
      failures: 16,
      limit: 16 + 6 * 4,
      newDeviceLimit: 5 * 16,
      strangers: 100 + 3 * 10,
      failedShare: 0.16,
      newShare: 0.1,
    });
    const varied = [5, 10, 15, 20, 25, 30, 35].map((failed) => counts(900, 100, failed));
    expect(usualLogins([varied], 30).limit).toBe(Math.ceil(20 + 6 * 1.4826 * 10));
  });

  it("ignores a few extreme periods, and those in attack mode", () => {
    const extreme = [...ordinary.slice(3), ...week(counts(0, 9_000, 9_000)).slice(0, 3)];
    expect(usualLogins([extreme], 30).limit).toBe(40);
    const attacked = [...ordinary.slice(12), ...week(counts(0, 900, 900, 1)).slice(0, 12)];
    expect(usualLogins([attacked], 30)).toEqual(usualLogins([ordinary], 30));
  });

  it("is never raised by a single week, whatever was sent in it", () => {
    const figure = fc.nat(1_000_000);
    const period = fc.record({
      known: figure,
      fresh: figure,
      failed: figure,
      attacked: fc.constant(0),
    });
    const poisoned = fc.array(period, { minLength: 18, maxLength: 18 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), fc.nat(3), poisoned, (weeks, at, given) => {
        const before = usualLogins(
          Array.from({ length: weeks }, () => ordinary),
          30,
        );
        const all = Array.from({ length: weeks }, () => ordinary);
        all.splice(at, 0, given);
        const after = usualLogins(all, 30);
        expect(after.limit).toBeLessThanOrEqual(before.limit);
        expect(after.newDeviceLimit).toBeLessThanOrEqual(before.newDeviceLimit);
        expect(after.failedShare).toBeLessThanOrEqual(before.failedShare!);
        expect(after.newShare).toBeLessThanOrEqual(before.newShare!);
      }),
    );
  });

  it("follows a route that has grown for two weeks", () => {
    const grown = week(counts(9_000, 1_000, 160));
    expect(usualLogins([grown, ordinary, ordinary, ordinary], 30).failures).toBe(16);
    expect(usualLogins([grown, grown, grown, ordinary], 30).failures).toBe(160);
  });
});

describe("unusualLogins", () => {
  const usual = usualLogins([ordinary, ordinary], 30);
  const unknown = usualLogins([], 30);

  it.each<[string, LoginCounts, string | undefined]>([
    ["an ordinary period", counts(900, 100, 16), undefined],
    ["as many failures as the limit", counts(900, 100, 40), undefined],
    ["one more, of which too few succeed", counts(900, 100, 41), "success_ratio"],
    ["ten times the visitors", counts(9_000, 1_000, 160), undefined],
    ["ten times the strangers, who succeed as usual", counts(900, 1_000, 160), "new_devices"],
    ["an attack that also logs in to its accounts", counts(900, 400, 90), "new_devices"],
    ["a new secret for cookies: all devices are new", counts(0, 1_000, 79), undefined],
  ])("evaluates %s", (_, current, sign) => {
    expect(unusualLogins(current, usual)?.sign).toBe(sign);
  });

  it("needs a third of failures as long as nothing is known", () => {
    expect(unusualLogins(counts(0, 100, 33), unknown)).toBeUndefined();
    expect(unusualLogins(counts(0, 60, 31), unknown)).toEqual({
      failures: 31,
      limit: 30,
      sign: "success_ratio",
    });
    expect(unusualLogins(counts(0, 30, 30), unknown)).toBeUndefined();
  });

  it("ends halfway back to the usual failures", () => {
    expect(unusualLogins(counts(0, 131, 60, 1), usual)?.limit).toBe(28);
    expect(unusualLogins(counts(0, 131, 40), usual)).toBeUndefined();
    expect(unusualLogins(counts(0, 131, 28, 1), usual)).toBeUndefined();
  });

  it("ends once strangers are as few as usual, although nobody answers the challenge", () => {
    expect(unusualLogins(counts(900, 130, 130, 1), usual)).toBeUndefined();
    expect(unusualLogins(counts(900, 131, 131, 1), usual)).toBeDefined();
  });
});
