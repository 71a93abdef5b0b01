import { createEngine, createMemoryLedger } from "@riskgate/engine";
import { describe, expect, it, onTestFinished } from "vitest";
import { createEngineWithRules } from "../../src/lookups/engine-with-rules.js";
import { loadServiceRules } from "../../src/lookups/operator-rule-set.js";
import { temporaryStorage } from "../support/temporary-storage.js";

const rule = (name: string, outcome: string, when: object = { scoreAtMost: 100 }) => ({
  name,
  outcome,
  when,
});

async function opened() {
  const { storage } = await temporaryStorage();
  const errors: unknown[] = [];
  const load = () => loadServiceRules(storage.operatorRules, (error) => errors.push(error));
  return { store: storage.operatorRules, errors, load, rules: await load() };
}

describe("the rules of a service", () => {
  it.each([
    ["allow", 95, 40],
    ["allow", 5, 5],
    ["flag", 5, 41],
    ["flag", 60, 60],
    ["flag", 95, 80],
    ["reject", 5, 81],
    ["reject", 95, 95],
  ])("with the outcome %s make of a score of %i %i", async (outcome, score, expected) => {
    const { rules } = await opened();
    await rules.replace({ rules: [rule("one", outcome)] });
    expect(rules.apply({ score })?.score).toBe(expected);
  });

  it("name networks and mailboxes, in the lookups of an engine", async () => {
    const { rules } = await opened();
    const engine = await createEngine({ feeds: [{ kind: "tor", entries: ["185.220.101.1"] }] });
    onTestFinished(() => engine.close());
    const ruled = createEngineWithRules(engine.withLedger(createMemoryLedger()), rules);
    await rules.replace({
      rules: [
        rule("an address", "allow", { network: ["185.220.101.0/24"] }),
        rule("a mailbox", "reject", { email: ["eve@shop.example"] }),
      ],
    });
    expect((await ruled.lookupIp("185.220.101.1")).risk_score).toBe(40);
    expect(ruled.peekIp("185.220.101.1")?.assessment.risk_score).toBe(40);
    expect((await ruled.explainIp("185.220.101.1")).rule?.name).toBe("an address");
    expect((await ruled.lookupEmail("Eve+1@SHOP.example")).risk_score).toBe(81);
    expect((await ruled.lookupEmail("ann@shop.example")).risk_score).toBeLessThan(81);
  });

  it("are there again when it is opened again", async () => {
    const { rules, load } = await opened();
    expect(rules.list()).toEqual([]);
    const set = [rule("first", "flag"), { ...rule("second", "allow"), note: "ours" }];
    await rules.replace({ rules: [rule("earlier", "reject")] });
    await rules.replace({ rules: set });
    expect((await load()).list()).toEqual(set);
  });

  it("follow what another process has put", async () => {
    const { rules, load } = await opened();
    const other = await load();
    await other.replace({ rules: [rule("first", "flag")] });
    await rules.follow();
    expect(rules.list()).toEqual(other.list());
  });

  it("stay where others are refused, each with its place and reason", async () => {
    const { rules, load } = await opened();
    await rules.replace({ rules: [rule("first", "flag")] });
    const wrong = [rule("a", "deny"), rule("b", "flag", { not: { path: ["/signup"] } })];
    await expect(rules.replace({ rules: wrong })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message:
        'the operator rules are not valid: /rules/0/outcome: expected one of "allow", "flag", "reject", ' +
        'given "deny"; /rules/1/when/not/path: a lookup has no path; write this rule for a gate',
    });
    for (const one of [rules, await load()]) expect(one.list()).toHaveLength(1);
  });

  it("name no more than ten problems", async () => {
    const { rules } = await opened();
    const wrong = Array.from({ length: 12 }, (_, index) => rule(`${index}`, "deny"));
    await expect(rules.replace({ rules: wrong })).rejects.toThrow(/; and 2 more$/);
  });

  it("of a version that knows more are reported, and none is in use", async () => {
    const { store, load, errors } = await opened();
    await store.replace([rule("first", "quarantine")]);
    const rules = await load();
    expect(rules.list()).toEqual([]);
    expect(errors).toMatchObject([{ code: "CONFIG_INVALID" }]);
  });
});
