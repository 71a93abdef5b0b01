import { describe, expect, it } from "vitest";
import type { RiskGateError } from "../../src/base/errors.js";
import type { Step, Verdict } from "../../src/decision/step.js";
import { createGate } from "../../src/gate/gate.js";
import type { Outcome } from "../../src/model/decision.js";
import { thrown } from "../support/caught.js";
import { doubleLookup, peekingLookup, untilAborted } from "../support/double-lookup.js";
import { unhandledRejections } from "../support/fake-clock.js";
import { BOTH, EMAIL, gateOver, IP } from "../support/gate-over.js";
import { gatedServer, signUp } from "../support/gated-server.js";
import { openRaw } from "../support/raw-client.js";
import { SECRET } from "../support/token-attacks.js";
import { until } from "../support/until.js";

const REJECT: Verdict = { outcome: "reject", because: "rule" };

/** A step that notes each phase it is called in. */
function noting(name: string, calls: string[]): Step {
  const note = (phase: string): undefined => void calls.push(`${name} ${phase}`);
  return {
    name,
    identify: () => note("identify"),
    before: () => note("before"),
    weigh: () => note("weigh"),
    judge: () => note("judge"),
    confirm: () => note("confirm"),
    decided: () => note("decided"),
  };
}

const boom = (): never => {
  throw new Error("broken");
};

describe("steps of the application", () => {
  it("finish each phase before the next one, in the order of the list", async () => {
    const calls: string[] = [];
    const steps = [noting("a", calls), noting("b", calls)];
    await gateOver({}, { steps }).gate.decide(BOTH);
    const phases = ["identify", "before", "weigh", "judge", "decided"];
    expect(calls).toEqual(phases.flatMap((phase) => [`a ${phase}`, `b ${phase}`]));
  });

  it("are asked to confirm in front of a route, before the decision is published", async () => {
    const calls: string[] = [];
    const lookup = doubleLookup({});
    const port = (await gatedServer({ lookup, steps: [noting("a", calls)] })).port;
    await signUp(port, { email: EMAIL });
    expect(calls.slice(-3)).toEqual(["a judge", "a confirm", "a decided"]);
  });

  it("receive neither a decision nor a verdict if the client disconnects", async () => {
    const calls: string[] = [];
    const aborted = (): void => {
      calls.push("a aborted");
      throw new Error("broken");
    };
    let asked = 0;
    const lookup = doubleLookup({ [IP]: (signal) => (asked++, untilAborted(signal)) });
    const errors: string[] = [];
    const { port } = await gatedServer({
      lookup,
      frameworkIp: IP,
      steps: [{ ...noting("a", calls), aborted }],
      onError: ({ message }) => void errors.push(message),
    });
    const { socket } = await openRaw(port);
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await until(() => asked === 1);
    socket.destroy();
    await until(() => errors.length === 1);
    expect(errors).toEqual(["`aborted` of the step `a` failed"]);
    expect(calls).toEqual(["a identify", "a before", "a aborted"]);
  });

  it("are not asked to confirm in observe mode", async () => {
    const calls: string[] = [];
    const options = { lookup: doubleLookup({}), mode: "observe" as const };
    const { port } = await gatedServer({ ...options, steps: [noting("a", calls)] });
    await signUp(port, { email: EMAIL });
    expect(calls).not.toContain("a confirm");
  });

  it("decide before the lookups, under their name", async () => {
    const steps: Step[] = [{ name: "no scripts", before: () => REJECT }];
    const { gate, lookup } = gateOver({ [IP]: 1 }, { steps });
    expect(await gate.decide(BOTH)).toMatchObject({
      outcome: "reject",
      because: "rule",
      rule: { name: "no scripts" },
      score: null,
      ip: { why: "override" },
    });
    expect(lookup.asked).toEqual([]);
  });

  it("name a rule of their own", async () => {
    const verdict: Verdict = { ...REJECT, rule: { name: "agents", note: "abuse in May" } };
    const { gate } = gateOver({}, { steps: [{ name: "a", before: () => verdict }] });
    expect((await gate.decide(BOTH)).rule).toEqual({ name: "agents", note: "abuse in May" });
  });

  it.each<[number, Outcome]>([
    [10, "challenge"],
    [60, "flag"],
    [95, "reject"],
  ])("raise the outcome of a score of %d without softening it, to %s", async (score, outcome) => {
    const attackMode: Step = {
      name: "attack mode",
      judge: (_, soFar) =>
        soFar?.outcome === "allow" ? { outcome: "challenge", because: "rule" } : undefined,
    };
    const { gate } = gateOver({ [IP]: score, [EMAIL]: 0 }, { steps: [attackMode] });
    expect((await gate.decide(BOTH)).outcome).toBe(outcome);
  });

  it("judge one after the other, each with the verdict before it", async () => {
    const seen: unknown[] = [];
    const step = (name: string, outcome?: Outcome): Step => ({
      name,
      judge(_, soFar) {
        seen.push([name, soFar?.outcome, soFar?.rule?.name]);
        return outcome && { outcome, because: "rule" };
      },
    });
    const steps = [step("a", "flag"), step("b"), step("c", "reject")];
    const { gate } = gateOver({ [IP]: 0, [EMAIL]: 0 }, { steps });
    expect((await gate.decide(BOTH)).rule).toEqual({ name: "c" });
    expect(seen).toEqual([
      ["a", "allow", undefined],
      ["b", "flag", "a"],
      ["c", "flag", "a"],
    ]);
  });

  it("leave the rule of a verdict that they return unchanged", async () => {
    const { gate } = gateOver(
      { [IP]: 50, [EMAIL]: 0 },
      { steps: [{ name: "a", judge: (_, soFar) => soFar }] },
    );
    expect(await gate.decide(BOTH)).not.toHaveProperty("rule");
  });

  it("add facts and points, which other steps judge by", async () => {
    const steps: Step[] = [
      {
        name: "device",
        identify: (context) => context.setFact("device", "known"),
        weigh: (context) =>
          context.addVelocity({ adds: 30, signals: [{ name: "asn", count: 9, weight: 30 }] }),
      },
      {
        name: "judge",
        judge: ({ facts, score }) =>
          facts["device"] === "known" && score === 50 ? REJECT : undefined,
      },
    ];
    const decision = await gateOver({ [IP]: 20, [EMAIL]: 0 }, { steps }).gate.decide(BOTH);
    expect(decision).toMatchObject({ outcome: "reject", score: 50, velocity: { sharedAdds: 30 } });
  });

  it("are waited for within the budget", async () => {
    const never = new Promise<void>(() => {});
    const steps: Step[] = [
      { name: "quick", waits: true, identify: async (context) => context.setFact("a", "b") },
      { name: "slow", waits: true, weigh: () => never },
    ];
    const errors: RiskGateError[] = [];
    const lookup = doubleLookup({ [IP]: 20, [EMAIL]: 0 });
    const gate = createGate({
      lookup,
      steps,
      budgetMs: 20,
      onError: (error) => errors.push(error),
    });
    expect(await gate.decide(BOTH)).toMatchObject({ outcome: "allow", score: 20 });
    expect(errors.map(({ message }) => message)).toEqual(["`weigh` of the step `slow` failed"]);
  });

  it("answer the request themselves", async () => {
    const steps: Step[] = [
      {
        name: "queue",
        before: () => ({
          ...REJECT,
          enforce({ gated }) {
            gated!.sendReply({ status: 429, headers: { "retry-after": "9" }, body: "later" });
            return false;
          },
        }),
      },
    ];
    const server = await gatedServer({ lookup: doubleLookup({}), steps });
    expect(await signUp(server.port, { email: EMAIL })).toMatchObject({
      status: 429,
      text: "later",
    });
    expect(server.passed).toBe(0);
  });

  it("confirm a verdict by asking the client", async () => {
    const confirm: Step["confirm"] = async ({ request }, verdict) =>
      request?.headers["x-pass"] === "yes" ? { ...verdict, outcome: "allow" } : undefined;
    const lookup = doubleLookup({ [EMAIL]: 95 });
    const { port } = await gatedServer({ lookup, steps: [{ name: "pass", confirm }] });
    expect((await signUp(port, { email: EMAIL })).status).toBe(403);
    expect((await signUp(port, { email: EMAIL }, { "x-pass": "yes" })).status).toBe(200);
  });

  it("add a header to a response that passes, and to one that is refused", async () => {
    const steps: Step[] = [{ name: "a", weigh: (context) => context.addHeader("x-step", "seen") }];
    const lookup = doubleLookup({ [EMAIL]: 10, "bad@x.y": 95 });
    const { port } = await gatedServer({ lookup, steps });
    for (const [email, status] of [
      [EMAIL, 200],
      ["bad@x.y", 403],
    ] as const) {
      const answer = await signUp(port, { email });
      expect([answer.status, answer.headers.get("x-step")]).toEqual([status, "seen"]);
    }
  });

  it("challenge like a rule, with the options of a challenge", async () => {
    const steps: Step[] = [
      { name: "a", challengedBy: "attackMode", judge: () => ({ ...REJECT, outcome: "challenge" }) },
    ];
    const options = { lookup: doubleLookup({}), steps };
    const { port } = await gatedServer({
      ...options,
      challenge: { secrets: SECRET },
      verifyChallenge: () => true,
    });
    expect((await signUp(port, { email: EMAIL })).text).toContain("CHALLENGE_REQUIRED");
    await expect(gatedServer(options)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: "`challenge` must be set if `attackMode` challenges, given nothing",
    });
  });
});

describe("a step that fails", () => {
  const broken: readonly [string, unknown][] = [
    ["throws", boom],
    ["rejects", async () => boom()],
    ["returns a text", () => "reject"],
    ["returns an unknown outcome", () => ({ outcome: "ban", because: "rule" })],
    ["returns an unnamed rule", () => ({ ...REJECT, rule: "agents" })],
    ["returns an unknown reason", () => ({ outcome: "reject", because: "mood" })],
  ];

  it.each(
    ["identify", "before", "weigh", "judge", "confirm", "decided"].flatMap((phase) =>
      broken.map(([what, call]) => [phase, what, call] as const),
    ),
  )("in %s and %s is reported, and the request goes on", async (phase, what, call) => {
    const unhandled = unhandledRejections();
    const errors: RiskGateError[] = [];
    const steps = [{ name: "odd", [phase]: call } as unknown as Step];
    const lookup = doubleLookup({ [EMAIL]: 10 });
    const onError = (error: RiskGateError): void => void errors.push(error);
    const server = await gatedServer({ lookup, steps, onError });
    expect((await signUp(server.port, { email: EMAIL })).status).toBe(200);
    expect(server.decisions).toMatchObject([{ outcome: "allow", because: "score", score: 10 }]);
    // The result of these phases is not used.
    const isIgnored = ["identify", "weigh", "decided"].includes(phase) && what.includes("returns");
    expect(errors.map(({ code, message }) => [code, message])).toEqual(
      isIgnored ? [] : [["HOOK_FAILED", `\`${phase}\` of the step \`odd\` failed`]],
    );
    expect(await unhandled()).toBe(0);
  });

  it.each([
    ["throws", boom],
    ["rejects", async () => boom()],
    ["returns a text", () => "yes"],
  ])("in enforce and %s lets the gate refuse", async (_, enforce) => {
    const errors: string[] = [];
    const verdict = { ...REJECT, enforce } as Verdict;
    const server = await gatedServer({
      lookup: doubleLookup({}),
      steps: [{ name: "odd", before: () => verdict }],
      onError: ({ message }) => void errors.push(message),
    });
    expect((await signUp(server.port, { email: EMAIL })).text).toContain("RISK_REJECTED");
    expect(errors).toEqual(["`enforce` of a verdict failed"]);
  });
});

describe("gate.peek with steps", () => {
  const lookup = peekingLookup({ [IP]: 1, [EMAIL]: 2 });

  it("decides with steps that do not wait", () => {
    const steps: Step[] = [{ name: "a", judge: () => REJECT }];
    expect(createGate({ lookup, steps }).peek(BOTH)).toMatchObject({ outcome: "reject" });
  });

  it.each(["identify", "weigh"] as const)("does not call a step that waits in %s", (phase) => {
    let calls = 0;
    const steps: Step[] = [{ name: "a", waits: true, [phase]: async () => void calls++ }];
    expect(createGate({ lookup, steps }).peek(BOTH)).toBeUndefined();
    expect(calls).toBe(0);
  });

  it("returns undefined if a step waits without saying so", () => {
    const steps: Step[] = [{ name: "a", weigh: async () => {} }];
    expect(createGate({ lookup, steps }).peek(BOTH)).toBeUndefined();
  });

  it("decides by a list although a later step would wait", () => {
    const steps: Step[] = [{ name: "a", waits: true, weigh: async () => {} }];
    expect(createGate({ lookup, steps, deny: [IP] }).peek(BOTH)).toMatchObject({
      because: "override",
    });
  });
});

describe("the option steps", () => {
  const judge = (): undefined => undefined;

  it.each<[string, unknown]>([
    ["a function", judge],
    ["null", null],
    ["a step without a name", { judge }],
    ["a step with an empty name", { name: "", judge }],
    ["a step without a phase", { name: "a" }],
    ["a phase that is not a function", { name: "a", judge: true }],
  ])("refuses %s", (_, step) => {
    const error = thrown(() => gateOver({}, { steps: [step as Step] }));
    expect(error).toMatchObject({ code: "CONFIG_INVALID" });
    expect(error.message).toMatch(/^`steps\[0\]` must be an object with a unique `name`/);
  });

  it("refuses two steps of one name", () => {
    const steps = [
      { name: "a", judge },
      { name: "a", judge },
    ];
    expect(thrown(() => gateOver({}, { steps })).message).toMatch(/^`steps\[1\]`/);
  });

  it("takes an object of a class", async () => {
    class Strict implements Step {
      readonly name = "strict";
      readonly #verdict = REJECT;
      before(): Verdict {
        return this.#verdict;
      }
    }
    const { gate } = gateOver({}, { steps: [new Strict()] });
    expect((await gate.decide(BOTH)).outcome).toBe("reject");
  });
});
