import { describe, expect, it } from "vitest";
import { checkRules } from "../../src/rules/rule-check.js";

const OUTCOMES = ["allow", "flag", "reject"] as const;
const rule = (members: object = {}) => ({
  name: "one",
  when: { scoreAbove: 10 },
  outcome: "flag",
  ...members,
});
const when = (conditions: object) => ({ rules: [rule({ when: conditions })] });
const problemsOf = (value: unknown) => checkRules(value, { outcomes: OUTCOMES }).problems;
const [W] = ["/rules/0/when"];

describe("checkRules", () => {
  it("takes every condition, copied and frozen", () => {
    const conditions = {
      network: ["192.0.2.7", "2001:db8::/32"],
      email: ["ada@example.com", "user-42"],
      country: ["NL", "DEU"],
      countryUnknown: false,
      asn: [1, 4_294_967_295],
      asnUnknown: true,
      domain: ["example.com"],
      domainAgeUnknown: true,
      flags: { all: ["is_tor"], any: ["is_vpn", "is_proxy"], none: ["is_private"] },
      header: { "accept-language": false, "x-app": ["1.*"] },
      userAgent: ["curl/*"],
      velocity: ["mailbox", "by.card"],
      networkKind: ["access", "tor"],
      scoreAbove: 0,
      scoreAtMost: 99.5,
      path: ["/signup", "/api/*"],
      not: { not: { country: ["BE"] } },
    };
    const given = { $schema: "x", rules: [rule({ when: conditions, note: "because" })] };
    const { rules, problems } = checkRules(given, { outcomes: OUTCOMES });
    expect(problems).toEqual([]);
    expect(rules).toEqual(given.rules);
    expect(rules.at(0)).not.toBe(given.rules.at(0));
    expect(Object.isFrozen(rules.at(0)?.when.country)).toBe(true);
  });

  it.each<[object, string, string]>([
    [{ header: {} }, `${W}/header`, "expected at least one condition, given object"],
    [{ header: ["a"] }, `${W}/header`, "expected an object, given array"],
    [
      { header: { "x y": true } },
      `${W}/header/x y`,
      'expected a header such as "accept-language", given "x y"',
    ],
    [{ header: { a: "b" } }, `${W}/header/a`, 'expected a list of 1 to 10000 items, given "b"'],
    [{ userAgent: [" "] }, `${W}/userAgent/0`, 'expected a text of 1 to 200 characters, given " "'],
    [
      { velocity: ["card"] },
      `${W}/velocity/0`,
      'expected a velocity subject such as "mailbox" or "by.card", given "card"',
    ],
    [
      { networkKind: ["home"] },
      `${W}/networkKind/0`,
      'expected one of "access", "datacenter", "vpn", "proxy", "tor", "private", given "home"',
    ],
  ])("refuses %j", (conditions, pointer, reason) => {
    expect(problemsOf(when(conditions))).toEqual([{ pointer, reason }]);
  });

  it("takes an empty list", () => {
    expect(checkRules({ rules: [] }, { outcomes: OUTCOMES })).toEqual({ rules: [], problems: [] });
  });

  it("leaves out what is undefined, as a program writes it", () => {
    expect(problemsOf({ rules: [rule({ note: undefined })] })).toEqual([]);
  });

  it.each<[string, unknown, string, string]>([
    ["nothing", undefined, "", "expected an object, given nothing"],
    ["a list", [], "", "expected an object, given array"],
    ["no rules", {}, "/rules", "expected a list of 0 to 1000 items, given nothing"],
    [
      "another member",
      { rules: [], rule: 1 },
      "/rule",
      "unknown member; known are `rules`, `$schema`",
    ],
    [
      "too many rules",
      { rules: Array.from({ length: 1001 }, () => rule()) },
      "/rules",
      "expected a list of 0 to 1000 items, given a list of 1001",
    ],
    [
      "a hole",
      { rules: Object.assign([], { length: 1 }) },
      "/rules/0",
      "expected an object, given nothing",
    ],
    ["a rule that is a text", { rules: ["x"] }, "/rules/0", 'expected an object, given "x"'],
    [
      "a rule without a name",
      { rules: [rule({ name: undefined })] },
      "/rules/0/name",
      "expected a text of 1 to 100 characters, given nothing",
    ],
    [
      "a blank name",
      { rules: [rule({ name: " " })] },
      "/rules/0/name",
      'expected a text of 1 to 100 characters, given " "',
    ],
    [
      "a name that another rule has",
      { rules: [rule(), rule()] },
      "/rules/1/name",
      "a unique name, given the name of /rules/0",
    ],
    [
      "a note that is no text",
      { rules: [rule({ note: 7 })] },
      "/rules/0/note",
      "expected a text of 1 to 1000 characters, given 7",
    ],
    [
      "an unknown outcome",
      { rules: [rule({ outcome: "deny" })] },
      "/rules/0/outcome",
      'expected one of "allow", "flag", "reject", given "deny"',
    ],
    [
      "a member with a slash",
      { rules: [rule({ "a/b~": 1 })] },
      "/rules/0/a~1b~0",
      "unknown member; known are `name`, `when`, `outcome`, `note`",
    ],
    ["no condition", when({}), W, "expected at least one condition, given object"],
    [
      "an empty list",
      when({ asn: [] }),
      `${W}/asn`,
      "expected a list of 1 to 10000 items, given a list of 0",
    ],
    [
      "a country that does not exist",
      when({ country: ["NL", "XX"] }),
      `${W}/country/1`,
      'expected a country code such as "DE" or "DEU", given "XX"',
    ],
    [
      "a country in small letters",
      when({ country: ["nl"] }),
      `${W}/country/0`,
      'expected a country code such as "DE" or "DEU", given "nl"',
    ],
    [
      "an ASN of 33 bits",
      when({ asn: [4_294_967_296] }),
      `${W}/asn/0`,
      "expected a whole number from 1 to 4294967295, given 4294967296",
    ],
    [
      "an ASN as text",
      when({ asn: ["AS1"] }),
      `${W}/asn/0`,
      'expected a whole number from 1 to 4294967295, given "AS1"',
    ],
    [
      "a pattern of domains",
      when({ domain: ["*.example.com"] }),
      `${W}/domain/0`,
      'expected a domain such as "example.com", given "*.example.com"',
    ],
    [
      "an unknown flag",
      when({ flags: { all: ["is_bot"] } }),
      `${W}/flags/all/0`,
      expect.stringMatching(/^expected one of "known_attacker", .*, given "is_bot"$/) as never,
    ],
    [
      "no flags",
      when({ flags: {} }),
      `${W}/flags`,
      "expected at least one condition, given object",
    ],
    [
      "a score of 101",
      when({ scoreAbove: 101 }),
      `${W}/scoreAbove`,
      "expected a number from 0 to 100, given 101",
    ],
    [
      "scores with nothing between",
      when({ scoreAbove: 50, scoreAtMost: 50 }),
      `${W}/scoreAtMost`,
      "expected more than `scoreAbove` (otherwise no score can match), given 50",
    ],
    [
      "a misspelled network",
      when({ network: ["192.0.2.0/33"] }),
      `${W}/network/0`,
      'expected a network such as "192.0.2.0/24", given "192.0.2.0/33"',
    ],
    [
      "two mailboxes in one text",
      when({ email: ["a@example.com, b@example.org"] }),
      `${W}/email/0`,
      'expected one email such as "ada@example.com", given "a@example.com, b@example.org"',
    ],
    [
      "a blank mailbox",
      when({ email: [" "] }),
      `${W}/email/0`,
      'expected one email such as "ada@example.com", given " "',
    ],
    [
      "a path without its slash",
      when({ path: ["signup"] }),
      `${W}/path/0`,
      'expected a path such as "/signup", or "/api/*" for everything below, given "signup"',
    ],
    [
      "a pattern of paths",
      when({ path: ["/api*"] }),
      `${W}/path/0`,
      'expected a path such as "/signup", or "/api/*" for everything below, given "/api*"',
    ],
    [
      "a word for a truth",
      when({ countryUnknown: "yes" }),
      `${W}/countryUnknown`,
      'expected true or false, given "yes"',
    ],
    [
      "`not` five times in each other",
      when({ not: { not: { not: { not: { not: { asn: [1] } } } } } }),
      `${W}/not/not/not/not/not`,
      "at most 4 nested `not`",
    ],
    [
      "what is wrong under `not`",
      when({ not: { asn: [0] } }),
      `${W}/not/asn/0`,
      "expected a whole number from 1 to 4294967295, given 0",
    ],
  ])("refuses %s", (_, value, pointer, reason) => {
    expect(problemsOf(value)).toEqual([{ pointer, reason }]);
  });

  it("finds every problem and then uses no rule", () => {
    const value = { rules: [rule(), rule({ name: "two", outcome: "x", when: { asn: [0, 0] } })] };
    const { rules, problems } = checkRules(value, { outcomes: OUTCOMES });
    expect(rules).toEqual([]);
    expect(problems.map(({ pointer }) => pointer)).toEqual([
      "/rules/1/when/asn/0",
      "/rules/1/when/asn/1",
      "/rules/1/outcome",
    ]);
  });

  it("reads own members only", () => {
    const inherited = Object.create(rule()) as object;
    expect(problemsOf({ rules: [inherited] }).map(({ pointer }) => pointer)).toEqual([
      "/rules/0/name",
      "/rules/0/when",
      "/rules/0/outcome",
    ]);
  });

  it("refuses what its reader cannot know, at any depth", () => {
    const value = when({ not: { path: ["/signup"] } });
    const without = { path: "only a gate knows the path" };
    expect(checkRules(value, { outcomes: OUTCOMES, without }).problems).toEqual([
      { pointer: `${W}/not/path`, reason: "only a gate knows the path" },
    ]);
  });
});
