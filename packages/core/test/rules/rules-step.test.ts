import { describe, expect, it } from "vitest";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createGate } from "../../src/gate/gate.js";
import type { GateOptions } from "../../src/gate/steps.js";
import { createVelocity } from "../../src/velocity/velocity.js";
import { createRules } from "../../src/rules/create-rules.js";
import type { Rule } from "../../src/rules/rule-set.js";
import type { RuleFacts } from "../../src/rules/rule-facts.js";
import { thrown } from "../support/caught.js";
import { doubleLookup } from "../support/double-lookup.js";
import { BOTH, EMAIL, failing, gateOver, IP } from "../support/gate-over.js";
import { gatedServer, signUp } from "../support/gated-server.js";

const TOR: Rule = {
  name: "no Tor",
  when: { flags: { all: ["is_tor"] } },
  outcome: "reject",
  note: "abuse in May",
};
const OURS: Rule = { name: "ours", when: { domain: ["x.y"] }, outcome: "allow" };
const answers = { [IP]: () => ({ risk_score: 60, is_tor: true }), [EMAIL]: 10 };

describe("the rules of a gate", () => {
  it("decide before the thresholds, and are named", async () => {
    const { gate } = gateOver(answers, { rules: [TOR] });
    expect(await gate.decide(BOTH)).toMatchObject({
      outcome: "reject",
      enforced: true,
      because: "rule",
      rule: { name: "no Tor", note: "abuse in May" },
      score: 60,
      ip: { state: "scored" },
      email: { state: "scored" },
    });
  });

  it("soften as well as harden", async () => {
    const { gate } = gateOver({ [IP]: 95, [EMAIL]: 95 }, { rules: [OURS] });
    const decision = await gate.decide(BOTH);
    expect(decision).toMatchObject({ outcome: "allow", because: "rule", rule: { name: "ours" } });
    expect(decision.rule).not.toHaveProperty("note");
  });

  it("decide in their order", async () => {
    const { gate } = gateOver(answers, { rules: [OURS, TOR] });
    expect((await gate.decide(BOTH)).rule?.name).toBe("ours");
  });

  it("leave the decision to the thresholds where none holds", async () => {
    const { gate } = gateOver({ [IP]: 60, [EMAIL]: 10 }, { rules: [TOR] });
    const decision = await gate.decide(BOTH);
    expect(decision).toMatchObject({ outcome: "flag", because: "score" });
    expect(decision).not.toHaveProperty("rule");
  });

  it.each<[string, Partial<GateOptions>, string, string]>([
    ["an allow list", { allow: [IP] }, "allow", "override"],
    ["a deny list", { deny: ["x.y"] }, "reject", "override"],
    ["a policy of the application", { decide: () => "flag" }, "allow", "rule"],
  ])("beside %s", async (_, options, outcome, because) => {
    const { gate } = gateOver(answers, { rules: [OURS], ...options });
    expect(await gate.decide(BOTH)).toMatchObject({ outcome, because });
  });

  it("decide before `whenUnavailable`, by what is known", async () => {
    const down = { [IP]: failing("NETWORK"), [EMAIL]: failing("NETWORK") };
    const rules: Rule[] = [TOR, OURS];
    const { gate } = gateOver(down, { rules, whenUnavailable: "reject" });
    expect(await gate.decide(BOTH)).toMatchObject({ outcome: "allow", because: "rule" });
    expect(await gate.decide({ ip: IP })).toMatchObject({ because: "unavailable" });
  });

  it("are not enforced in observe mode", async () => {
    const { gate } = gateOver(answers, { rules: [TOR], mode: "observe" });
    expect(await gate.decide(BOTH)).toMatchObject({ outcome: "reject", enforced: false });
  });

  it("know the path that the facts give", async () => {
    const rules: Rule[] = [{ name: "path", when: { path: ["/signup"] }, outcome: "reject" }];
    const { gate } = gateOver(answers, { rules });
    expect((await gate.decide({ ...BOTH, path: "/signup?a" })).because).toBe("rule");
    expect((await gate.decide({ ...BOTH, path: "/login" })).because).toBe("score");
    expect((await gate.decide({ ...BOTH, path: null })).because).toBe("score");
  });

  it("know the headers of a request", async () => {
    const rules: Rule[] = [
      { name: "script", when: { userAgent: ["script/*"] }, outcome: "reject" },
      { name: "old", when: { header: { "x-app": ["1.*"] } }, outcome: "reject" },
    ];
    const { port } = await gatedServer({ lookup: doubleLookup(), rules });
    const statusOf = async (headers: Record<string, string>) =>
      (await signUp(port, {}, headers)).status;
    expect(await statusOf({ "user-agent": "Script/1" })).toBe(403);
    expect(await statusOf({ "x-app": "1.9" })).toBe(403);
    expect(await statusOf({ "x-app": "2.0", "user-agent": "Mozilla/5.0" })).toBe(200);
    const { gate } = gateOver({}, { rules });
    expect((await gate.decide(BOTH)).outcome).toBe("allow");
  });

  it("refuse by the request's own velocity subjects only", async () => {
    const rules: Rule[] = [
      { name: "flood", when: { velocity: ["mailbox", "address"] }, outcome: "reject" },
    ];
    const limits = { from: 1, to: 2, weight: 1 };
    const gateBy = (subject: "mailbox" | "address") =>
      gateOver(
        {},
        {
          rules,
          velocity: createVelocity({ limits: { [subject]: limits } }),
        },
      ).gate;
    const shared = gateBy("mailbox");
    await shared.decide({ ip: "8.8.8.8", email: "ada@x.y" });
    const passed = await shared.decide({ ip: "9.9.9.9", email: "ada+2@x.y" });
    expect(passed).toMatchObject({ outcome: "allow", because: "score", score: 1 });
    const own = gateBy("address");
    await own.decide({ ip: "8.8.8.8", email: "ada@x.y" });
    const refused = await own.decide({ ip: "8.8.8.8", email: "eve@x.y" });
    expect(refused).toMatchObject({ outcome: "reject", rule: { name: "flood" } });
  });

  it("decide a peek too", () => {
    const lookup = {
      ...doubleLookup(),
      peekIp: () => ({
        state: "scored" as const,
        assessment: { risk_score: 60, is_tor: true },
        source: "live" as const,
      }),
    };
    expect(createGate({ lookup, rules: [TOR] }).peek({ ip: IP })?.rule?.name).toBe("no Tor");
  });

  it("are named on the channel", async () => {
    const heard: unknown[] = [];
    const hear = (message: unknown): void => void heard.push(message);
    subscribe("riskgate:decision", hear);
    await gateOver(answers, { rules: [TOR] }).gate.decide(BOTH);
    unsubscribe("riskgate:decision", hear);
    expect(heard).toMatchObject([
      { outcome: "reject", enforced: true, because: "rule", score: 60, rule: "no Tor" },
    ]);
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("for the test");
      },
    ],
    ["gives a promise", () => Promise.reject(new Error("for the test"))],
    ["gives another outcome", () => ({ name: "x", outcome: "maybe" })],
    ["gives null", () => null],
  ])("hold not where the application's own set %s", async (_, match) => {
    const rules = { rules: [], match } as unknown as NonNullable<GateOptions["rules"]>;
    const { gate, errors } = gateOver(answers, { rules });
    expect((await gate.decide(BOTH)).because).toBe("score");
    expect(errors).toEqual(["HOOK_FAILED"]);
  });
});

describe("createRules", () => {
  it("makes rules that gates share", async () => {
    const rules = createRules({ rules: [TOR] });
    expect(rules.rules).toEqual([TOR]);
    for (const { gate } of [gateOver(answers, { rules }), gateOver(answers, { rules })]) {
      expect((await gate.decide(BOTH)).because).toBe("rule");
    }
  });

  it.each<[string, unknown, string]>([
    ["no rules", null, "`rules`: expected an object, given null"],
    [
      "a rule with a mistake",
      [{ ...TOR, outcome: "deny" }],
      '`rules`: /rules/0/outcome: expected one of "allow", ',
    ],
  ])("refuses %s, as a gate does", (_, rules, message) => {
    for (const make of [
      () => createRules(rules as Rule[]),
      () => createGate({ lookup: doubleLookup(), rules: rules as Rule[] }),
    ]) {
      const error = thrown(make);
      expect(error.code).toBe("CONFIG_INVALID");
      expect(error.message.startsWith(message)).toBe(true);
    }
  });
});

describe("a rule that asks for a challenge", () => {
  const rules: Rule[] = [{ name: "step up", when: { scoreAtMost: 100 }, outcome: "challenge" }];

  it("decides like any other", async () => {
    const { gate } = gateOver(answers, { rules });
    expect(await gate.decide(BOTH)).toMatchObject({ outcome: "challenge", because: "rule" });
  });

  it("is refused at set-up in front of a route that cannot challenge", async () => {
    const making = gatedServer({ lookup: doubleLookup(), rules });
    await expect(making).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: "`challenge` must be set if `rules` challenges, given nothing",
    });
  });

  it("is a rejection that is reported where it comes later", async () => {
    const errors: string[] = [];
    let current: Rule[] = [];
    const late = { rules: [], match: (facts: RuleFacts) => createRules(current).match(facts) };
    const server = await gatedServer({
      lookup: doubleLookup({ [EMAIL]: 0 }),
      rules: late,
      onError: ({ message }) => errors.push(message),
    });
    current = rules;
    expect((await signUp(server.port, { email: EMAIL })).status).toBe(403);
    expect(errors).toEqual(["a rule failed"]);
  });
});

describe("the rules of a gate in front of a route", () => {
  it("know the path of the request", async () => {
    const rules: Rule[] = [{ name: "path", when: { path: ["/SignUp/"] }, outcome: "reject" }];
    const server = await gatedServer({ lookup: doubleLookup({ [EMAIL]: 0 }), rules });
    const { status, text } = await signUp(server.port, { email: EMAIL });
    expect(status).toBe(403);
    expect(text).not.toContain("path");
    expect(server.decisions.at(0)).toMatchObject({ because: "rule", rule: { name: "path" } });
  });
});
