import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkRuleText } from "../../src/rules/rule-text.js";
import { payloadLikeJson } from "../support/arbitrary-json.js";

const check = (text: string) => checkRuleText(text, { outcomes: ["allow", "reject"] });
const RULES = `{
  "rules": [
    { "name": "tor", "when": { "flags": { "all": ["is_tor"] } }, "outcome": "reject" },
    {
      "name": "far",
      "when": { "country": ["NL", "XX"] },
      "outcome": "deny"
    }
  ]
}`;

describe("checkRuleText", () => {
  it("takes rules, behind a byte order mark too", async () => {
    const text = RULES.replace("XX", "BE").replace("deny", "allow");
    const { rules, problems } = await check(`\uFEFF${text}`);
    expect(problems).toEqual([]);
    expect(rules.map(({ name }) => name)).toEqual(["tor", "far"]);
  });

  it("says the line and column of each problem, in their order", async () => {
    expect((await check(RULES)).problems).toMatchObject([
      { pointer: "/rules/1/when/country/1", line: 6, column: 35 },
      { pointer: "/rules/1/outcome", line: 7, column: 18 },
    ]);
  });

  it("says where something is missing", async () => {
    const [problem] = (
      await check('{\n "rules": [\n  {"when": {"asn": [1]}, "outcome": "allow"}]}')
    ).problems;
    expect(problem).toMatchObject({ pointer: "/rules/0/name", line: 3, column: 3 });
  });

  it.each<[string, string, number | undefined, number | undefined]>([
    ["an empty file", "", 1, 1],
    ["a missing comma", '{\n  "rules": []\n  "x": 1\n}', 3, 3],
    ["a comment", '{ // rules\n "rules": [] }', 1, 3],
    ["a comma too many", '{\n "rules": [],\n}', 3, 1],
    ["what follows the end", '{ "rules": [] } x', 1, 17],
  ])("says where the text is no JSON: %s", async (_, text, line, column) => {
    const { rules, problems } = await check(text);
    expect(rules).toEqual([]);
    expect(problems).toMatchObject([{ pointer: "", line, column }]);
    expect(problems.at(0)?.reason).toMatch(/^expected JSON: /);
  });

  it("refuses a member that is given twice", async () => {
    const text = '{ "rules": [],\n  "rules": [] }';
    expect((await check(text)).problems).toEqual([
      { pointer: "/rules", reason: "the member is given twice", line: 2, column: 3 },
    ]);
  });

  it("refuses a text that is nested more than 64 levels deep", async () => {
    for (const depth of [64, 1_000, 200_000]) {
      const text = `{"rules":${"[".repeat(depth)}${"]".repeat(depth)}}`;
      expect((await check(text)).problems).toEqual([
        {
          pointer: "",
          reason: "expected JSON, given some that is nested more than 64 levels deep",
        },
      ]);
    }
  });

  it("never fails, and gives every problem a place", async () => {
    await fc.assert(
      fc.asyncProperty(payloadLikeJson, async (value) => {
        const { rules, problems } = await check(JSON.stringify({ rules: value }, undefined, 1));
        expect(rules).toEqual([]);
        for (const { line, column } of problems) expect(line! > 0 && column! > 0).toBe(true);
      }),
    );
  });
});
