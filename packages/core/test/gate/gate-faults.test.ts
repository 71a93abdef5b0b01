import { describe, expect, it } from "vitest";
import type { Decision, EvidencePair, Fault, Outcome } from "../../src/model/decision.js";
import type { ErrorCode } from "../../src/base/errors.js";
import { createGate } from "../../src/gate/gate.js";
import type { RiskLookup } from "../../src/model/lookup.js";
import { markStale } from "../../src/lookup/stale-answer.js";
import { type Answer, untilAborted } from "../support/double-lookup.js";
import { unhandledRejections } from "../support/fake-clock.js";
import { BOTH, EMAIL, failing, gateOver, IP } from "../support/gate-over.js";

describe("decide without all answers", () => {
  it("reports each of two failures, and one that ended both once", async () => {
    const { gate, errors } = gateOver({
      [IP]: failing("UNAUTHORIZED"),
      [EMAIL]: failing("NETWORK"),
    });
    await gate.decide(BOTH);
    expect(errors.toSorted()).toEqual(["NETWORK", "UNAUTHORIZED"]);
    const slow = gateOver({ [IP]: untilAborted, [EMAIL]: untilAborted }, { budgetMs: 20 });
    await slow.gate.decide(BOTH);
    expect(slow.errors).toEqual(["TIMEOUT"]);
  });

  it.each<[string, unknown, string]>([
    ["a text", EMAIL, "expected an object with `ip` and `email`, given string"],
    ["nothing", undefined, "expected an object with `ip` and `email`, given nothing"],
    ["null", null, "expected an object with `ip` and `email`, given null"],
    ["a list", [IP, EMAIL], "expected an object with `ip` and `email`, given array"],
    ["misspelled facts", { emial: EMAIL }, "expected `ip` or `email` in the facts, given `emial`"],
  ])("refuses %s for facts", async (_, facts, message) => {
    const { gate } = gateOver({});
    const refusal = { name: "RiskGateError", code: "INVALID_ARGUMENT", message };
    await expect(gate.decide(facts as object)).rejects.toMatchObject(refusal);
    expect(() => gate.peek(facts as object)).toThrow(expect.objectContaining(refusal));
  });

  it.each<[unknown, string]>([
    [null, "expected an object as the options of a decision, given null"],
    ["now", "expected an object as the options of a decision, given string"],
    [{ signal: 500 }, "expected an AbortSignal as `signal`, given number"],
    [{ signal: null }, "expected an AbortSignal as `signal`, given null"],
    [{ scope: "request-1" }, "expected an object as `scope`, given string"],
  ])("refuses %j for the options of a decision", async (options, message) => {
    const { gate } = gateOver({});
    await expect(gate.decide(BOTH, options as object)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message,
    });
  });

  const FAULTS: readonly (readonly [ErrorCode, Fault, Outcome])[] = [
    ["TIMEOUT", "timeout", "allow"],
    ["NETWORK", "network", "allow"],
    ["ABORTED", "network", "allow"],
    ["RATE_LIMITED", "rate_limited", "allow"],
    ["UPSTREAM_STATUS", "server", "allow"],
    ["LOOKUP_FAILED", "server", "allow"],
    ["UNAUTHORIZED", "unauthorized", "flag"],
    ["BAD_REQUEST", "unreadable", "flag"],
    ["REDIRECT_REFUSED", "unreadable", "flag"],
    ["INVALID_RESPONSE", "unreadable", "flag"],
    ["RESPONSE_TOO_LARGE", "unreadable", "flag"],
  ];

  it.each(FAULTS)("GAT-04 GAT-20 takes %s for the fault %s: %s", async (code, fault, outcome) => {
    const { gate, errors } = gateOver({ [IP]: failing(code) });
    expect(await gate.decide({ ip: IP })).toEqual({
      id: expect.any(String) as string,
      outcome,
      enforced: true,
      because: "unavailable",
      score: null,
      ip: { state: "failed", fault },
      email: { state: "skipped", why: "absent" },
    });
    expect(errors).toEqual([code]);
  });

  it.each(FAULTS)("has an outcome of its own for %s, %s", async (code, fault) => {
    const gates = (["allow", "flag", "reject"] as const).flatMap((outcome) => [
      [outcome, gateOver({ [IP]: failing(code) }, { whenUnavailable: outcome }).gate] as const,
      [
        outcome,
        gateOver({ [IP]: failing(code) }, { whenUnavailable: { [fault]: outcome } }).gate,
      ] as const,
    ]);
    for (const [outcome, gate] of gates) {
      expect((await gate.decide({ ip: IP })).outcome).toBe(outcome);
    }
  });

  it("takes what a lookup of one's own throws for trouble of the server", async () => {
    const { gate, errors } = gateOver({ [IP]: new Error("mine") });
    expect((await gate.decide({ ip: IP })).ip).toEqual({ state: "failed", fault: "server" });
    expect(errors).toEqual(["LOOKUP_FAILED"]);
  });

  it("survives a lookup that throws before it gives a promise", async () => {
    const lookup = {
      lookupIp() {
        throw new Error("at once");
      },
      lookupEmail: () => undefined,
    } as unknown as RiskLookup;
    const gate = createGate({ lookup, onError: () => {} });
    expect(await gate.decide(BOTH)).toMatchObject({
      ip: { state: "failed", fault: "server" },
      email: { state: "failed", fault: "unreadable" },
    });
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["nothing", undefined],
    ["text", "0"],
    ["a number", 0],
    ["no score", {}],
    ["a score in text", { risk_score: "0" }],
    ["a score that is null", { risk_score: null }],
    ["NaN", { risk_score: NaN }],
    ["101", { risk_score: 101 }],
    ["-1", { risk_score: -1 }],
    ["Infinity", { risk_score: Infinity }],
    ["an array", [{ risk_score: 0 }]],
  ])("R18 takes %s for an answer that cannot be read", async (_, answer) => {
    const { gate, errors } = gateOver({ [IP]: () => answer, [EMAIL]: 10 });
    expect(await gate.decide(BOTH)).toMatchObject({
      outcome: "flag",
      because: "unavailable",
      score: 10,
      ip: { state: "failed", fault: "unreadable" },
    });
    expect(errors).toEqual(["INVALID_RESPONSE"]);
  });

  it.each([
    ["an IP address", { [IP]: () => ({ risk_score: 0, ip: "8.8.8.9" }), [EMAIL]: 0 }, "ip"],
    ["an email address", { [IP]: 0, [EMAIL]: () => ({ risk_score: 0, email: "b@x.y" }) }, "email"],
  ] as const)("R18 takes an answer about another %s for unreadable", async (_, answers, type) => {
    const { gate, errors } = gateOver(answers);
    const decision = await gate.decide(BOTH);
    expect(decision).toMatchObject({ outcome: "flag", [type]: { fault: "unreadable" } });
    expect(errors).toEqual(["INVALID_RESPONSE"]);
  });

  it("takes an answer that gives the identifier in another form", async () => {
    const { gate } = gateOver({
      [IP]: () => ({ risk_score: 1, ip: `::ffff:${IP}` }),
      [EMAIL]: () => ({ risk_score: 2, email: EMAIL.toUpperCase() }),
    });
    expect(await gate.decide(BOTH)).toMatchObject({ outcome: "allow", score: 2 });
  });

  it("takes an identifier that the lookup refuses for unusable", async () => {
    const { gate, errors } = gateOver({ [EMAIL]: failing("INVALID_ARGUMENT") });
    const decision = await gate.decide({ email: EMAIL });
    expect(decision.email).toEqual({ state: "skipped", why: "unusable" });
    expect(errors).toEqual([]);
  });

  it.each<[Answer, Answer, Outcome, Outcome, Decision["because"], number]>([
    [failing("NETWORK"), 95, "allow", "reject", "score", 95],
    [95, failing("NETWORK"), "allow", "reject", "score", 95],
    [failing("NETWORK"), 10, "allow", "allow", "unavailable", 10],
    [failing("NETWORK"), 10, "flag", "flag", "unavailable", 10],
    [failing("NETWORK"), 10, "reject", "reject", "unavailable", 10],
    [failing("NETWORK"), 60, "allow", "flag", "score", 60],
    [failing("NETWORK"), 60, "flag", "flag", "score", 60],
    [failing("NETWORK"), 60, "reject", "reject", "unavailable", 60],
    [failing("NETWORK"), 95, "reject", "reject", "score", 95],
  ])(
    "GAT-22 with %s and %s, %s when unavailable: %s because of %s",
    async (ip, email, whenUnavailable, outcome, because, score) => {
      const { gate } = gateOver({ [IP]: ip, [EMAIL]: email }, { whenUnavailable });
      expect(await gate.decide(BOTH)).toMatchObject({ outcome, because, score });
    },
  );

  it("takes the harder of two faults", async () => {
    const { gate, errors } = gateOver(
      { [IP]: failing("TIMEOUT"), [EMAIL]: failing("NETWORK") },
      { whenUnavailable: { timeout: "allow", network: "reject" } },
    );
    expect((await gate.decide(BOTH)).outcome).toBe("reject");
    expect(errors).toEqual(["TIMEOUT", "NETWORK"]);
  });

  it("tells an old assessment from a live one", async () => {
    const { gate } = gateOver({ [IP]: () => markStale({ risk_score: 95 }) });
    expect(await gate.decide({ ip: IP })).toMatchObject({
      outcome: "reject",
      ip: { state: "scored", source: "stale" },
    });
  });
});

describe("a policy of one's own", () => {
  it("decides instead of the thresholds", async () => {
    const given: EvidencePair[] = [];
    const decide = (evidence: EvidencePair): Outcome => {
      given.push(evidence);
      return "flag";
    };
    const { gate } = gateOver({ [IP]: 95, [EMAIL]: failing("NETWORK") }, { decide });
    const decision = await gate.decide(BOTH);
    expect(decision).toMatchObject({ outcome: "flag", because: "score", score: 95 });
    expect(given).toEqual([{ ip: decision.ip, email: decision.email }]);
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("mine");
      },
    ],
    ["gives no outcome", () => "maybe"],
    ["gives nothing", () => undefined],
    ["gives an inherited name", () => "toString"],
    ["gives a promise", async () => "allow"],
    ["gives a promise that rejects", () => Promise.reject(new Error("mine"))],
  ])("R23 gives way to the thresholds when it %s", async (_, decide) => {
    const unhandled = unhandledRejections();
    const { gate, errors } = gateOver({ [IP]: 95 }, { decide: decide as () => Outcome });
    expect(await gate.decide({ ip: IP })).toMatchObject({ outcome: "reject", because: "score" });
    expect(errors).toEqual(["HOOK_FAILED"]);
    expect(await unhandled()).toBe(0);
  });
});
