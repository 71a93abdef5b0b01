import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OUTCOMES } from "../../src/model/decision.js";
import { checkRules } from "../../src/rules/rule-check.js";
import { CONDITION_NAMES } from "../../src/rules/rule-conditions.js";
import { PATH_PATTERN } from "../../src/rules/rule-path.js";
import { RULE_FLAGS } from "../../src/rules/rule.js";

interface Schema {
  readonly properties: Readonly<Record<string, { items: Schema }>>;
  readonly definitions: Readonly<Record<string, Schema>>;
  readonly items: { readonly enum: readonly string[]; readonly pattern: string };
}

const file = new URL("../../rules.schema.json", import.meta.url);
const schema = JSON.parse(readFileSync(file, "utf8")) as Schema;
const isValid = new Ajv({ allErrors: true }).compile(schema);
const isAccepted = (value: unknown) =>
  checkRules(value, { outcomes: OUTCOMES }).problems.length === 0;

/** A value of a member: right, or wrong in one of many ways. */
const junk = fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 101, "", " ", "x", [], [null], {});
const list = (...items: unknown[]) =>
  fc.oneof(fc.array(fc.oneof(fc.constantFrom(...items), junk), { maxLength: 3 }), junk);
const flags = list("is_tor", "vpn", "is_bot");
const conditions = fc.letrec((tie) => ({
  when: fc.oneof(
    { depthSize: "small" },
    junk,
    fc.record(
      {
        network: list("192.0.2.0/24", "2001:db8::1", "192.0.2.0/33"),
        email: list("ada@example.com", "user-42", "a@b.c, d@e.f"),
        country: list("NL", "DEU"),
        countryUnknown: fc.oneof(fc.boolean(), junk),
        asn: list(1, 64500, 2 ** 32),
        asnUnknown: fc.oneof(fc.boolean(), junk),
        domain: list("example.com", "a.b.example"),
        domainAgeUnknown: fc.oneof(fc.boolean(), junk),
        flags: fc.oneof(
          fc.record({ all: flags, any: flags, none: flags, no: junk }, { requiredKeys: [] }),
          junk,
        ),
        header: fc.oneof(
          fc.record({ accept: junk, "x-app": list("1.*") }, { requiredKeys: [] }),
          fc.constant({ "x y": true }),
          junk,
        ),
        userAgent: list("curl/*", "*"),
        velocity: list("mailbox", "by.card", "by.", "card"),
        networkKind: list("access", "vpn", "home"),
        device: list("known", "new", "revoked", "old"),
        scoreAbove: fc.oneof(fc.integer({ min: 0, max: 49 }), junk),
        scoreAtMost: fc.oneof(fc.integer({ min: 50, max: 100 }), junk),
        path: list("/signup", "/api/*", "/api*", "*", "/a b", "/x?y"),
        not: tie("when"),
        other: junk,
      },
      { requiredKeys: [] },
    ),
  ),
}));
const document = fc.oneof(
  { weight: 9, arbitrary: fc.record({ rules: fc.array(ruleOf(), { maxLength: 2 }) }) },
  { weight: 1, arbitrary: fc.oneof(junk, fc.record({ rules: junk, rule: junk })) },
);

function ruleOf() {
  return fc.record(
    {
      name: fc.oneof(fc.uuid(), junk),
      when: conditions.when,
      outcome: fc.oneof(fc.constantFrom(...OUTCOMES), junk),
      note: fc.oneof(fc.constant("because"), junk),
      other: junk,
    },
    { requiredKeys: ["name", "when", "outcome"] },
  );
}

describe("rules.schema.json", () => {
  it("names what the reader knows", () => {
    const { rule, conditions: when, flags: names } = schema.definitions;
    expect((rule?.properties["outcome"] as unknown as { enum: unknown } | undefined)?.enum).toEqual(
      OUTCOMES,
    );
    expect(Object.keys(when?.properties ?? {}).toSorted()).toEqual(CONDITION_NAMES.toSorted());
    expect(names?.items.enum).toEqual(RULE_FLAGS);
    expect(when?.properties["path"]?.items).toMatchObject({ pattern: PATH_PATTERN.source });
  });

  it("accepts what the reader accepts", () => {
    let accepted = 0;
    fc.assert(
      fc.property(document, (value) => {
        if (!isAccepted(value)) return;
        accepted++;
        expect(isValid(value), JSON.stringify(isValid.errors)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
    expect(accepted).toBeGreaterThan(10);
  });

  it("refuses what the reader refuses, but for what a schema cannot say", () => {
    const beyond = [
      /name of its own/,
      /no score is between/,
      /expected a country code .* "[A-Z]{2,3}"$/,
      /expected a domain .*\..*"$/,
      /expected a network .*[.:].*"$/,
      /expected one email .*@.*"$/,
      /`not` in each other/,
    ];
    fc.assert(
      fc.property(document, (value) => {
        const { problems } = checkRules(value, { outcomes: OUTCOMES });
        const inForm = problems.filter(({ reason }) => !beyond.some((one) => one.test(reason)));
        if (inForm.length > 0) expect(isValid(value), JSON.stringify(inForm)).toBe(false);
      }),
      { numRuns: 5_000 },
    );
  });
});
