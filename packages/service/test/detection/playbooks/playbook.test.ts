import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPlaybook } from "../../../src/detection/playbooks/playbook.js";
import {
  isAbove,
  isReached,
  readPlaybookRule,
} from "../../../src/detection/playbooks/playbook-rule.js";
import type { EventRule } from "../../../src/model/playbook.js";

describe("readPlaybook", () => {
  it("fills in the defaults", () => {
    expect(readPlaybook({ name: "Block XSS", rule: { kinds: ["xss"] } })).toEqual({
      name: "Block XSS",
      rule: { kinds: ["xss"], count: 1, windowMs: 600_000, per: "address" },
      response: {
        durationMs: 3_600_000,
        addresses: true,
        accounts: "acting",
        ipv6Prefix: 64,
        internalAddresses: false,
      },
      enabled: true,
    });
  });

  it.each([
    ["genres", { genres: ["http_scan"], count: 50 }, { genres: ["http_scan"], count: 50 }],
    ["a score", { accountScoreAbove: 80.5 }, { accountScoreAbove: 80.5 }],
  ])("takes a rule about %s", (_, rule, expected) => {
    expect(readPlaybookRule(rule)).toEqual(expected);
  });

  it.each([
    ["no name", { rule: { kinds: ["xss"] } }],
    ["no rule", { name: "x" }],
    ["a rule about nothing", { name: "x", rule: {} }],
    ["a rule about two things", { name: "x", rule: { kinds: ["xss"], accountScoreAbove: 1 } }],
    ["no kinds", { name: "x", rule: { kinds: [] } }],
    ["an unknown kind", { name: "x", rule: { kinds: ["xss", "waf"] } }],
    ["an unknown genre", { name: "x", rule: { genres: ["pulse"] } }],
    ["a count of nothing", { name: "x", rule: { kinds: ["xss"], count: 0 } }],
    ["a count that is not whole", { name: "x", rule: { kinds: ["xss"], count: 1.5 } }],
    ["a window without end", { name: "x", rule: { kinds: ["xss"], windowMs: 1e15 } }],
    ["a score above 100", { name: "x", rule: { accountScoreAbove: 101 } }],
    ["a duration of no time", { name: "x", rule: { kinds: ["xss"] }, response: { durationMs: 0 } }],
    [
      "a duration of years",
      { name: "x", rule: { kinds: ["xss"] }, response: { durationMs: 1e12 } },
    ],
    ["a prefix between", { name: "x", rule: { kinds: ["xss"] }, response: { ipv6Prefix: 96 } }],
    [
      "a response that names nobody",
      { name: "x", rule: { kinds: ["xss"] }, response: { addresses: false, accounts: "none" } },
    ],
  ])("refuses %s", (_, playbook) => {
    expect(() => readPlaybook(playbook)).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT" }),
    );
  });
});

describe("readPlaybookRule", () => {
  it.each<[object, RegExp]>([
    [{ kinds: [] }, /^`rule\.kinds` must be a list with at least one of auth_scan/],
    [{ kinds: ["xss", "waf"] }, /^`rule\.kinds\[1\]` must be one of .*, auth_scan$/],
    [{ kinds: ["auth_brutforce"] }, /^`rule\.kinds\[0\]` .*; did you mean auth_bruteforce\?$/],
    [{ kinds: ["x".repeat(65)] }, /^`rule\.kinds\[0\]` must be one of .*, auth_scan$/],
    [{ kinds: ["xss"], per: "adress" }, /^`rule\.per` must .*; did you mean address\?$/],
    [{ kinds: ["xss"], cont: 2 }, /^`rule` only takes .*; did you mean `rule\.count`\?$/],
  ])("says what is wrong with %j, and shows no value", (rule, message) => {
    expect(() => readPlaybookRule(rule)).toThrow(message);
  });
});

describe("playbook rules", () => {
  const rule = readPlaybookRule({ kinds: ["xss"], count: 3 }) as EventRule;

  it("are reached at their count and above their score", () => {
    expect([2, 3, 4].map((events) => isReached(rule, events))).toEqual([false, true, true]);
    const scores = [79.9, 80, 80.1].map((score) => isAbove({ accountScoreAbove: 80 }, score));
    expect(scores).toEqual([false, false, true]);
  });

  it("never are reached by fewer events and not by more", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (events, more) => {
        if (isReached(rule, events)) expect(isReached(rule, events + more)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
