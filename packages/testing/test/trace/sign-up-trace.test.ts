import { createGate, createVelocity, type Outcome } from "@riskgate/core";
import { createMemoryVelocityStore } from "@riskgate/core/velocity";
import { describe, expect, it } from "vitest";
import { createFakeLookup } from "../../src/fake/fake-lookup.js";
import {
  createSignUpTrace,
  type SignUpKind,
  type TracedSignUp,
} from "../../src/trace/sign-up-trace.js";

const ATTACKS: ReadonlySet<SignUpKind> = new Set(["alias_flood", "network_flood"]);

interface Judged extends TracedSignUp {
  readonly outcome: Outcome | undefined;
}

/** What a gate on defaults makes of each request, where every address has the score 0. */
function judge(trace: readonly TracedSignUp[]): readonly Judged[] {
  let nowMs = 0;
  const store = createMemoryVelocityStore({ maxEntries: 400_000, now: () => nowMs });
  const lookup = createFakeLookup({}, { inMemory: true });
  const gate = createGate({ lookup, velocity: createVelocity({ store }) });
  return trace.map((visit) => {
    nowMs = visit.atMs;
    return { ...visit, outcome: gate.peek(visit)?.outcome };
  });
}

function share(visits: readonly Judged[], ...outcomes: readonly Outcome[]): number {
  return (
    visits.filter(({ outcome }) => outcome && outcomes.includes(outcome)).length / visits.length
  );
}

describe("a day of sign-ups with an attack at 1 % of the traffic", () => {
  const judged = judge(createSignUpTrace({ seed: 1, visitors: 150_000, attackShare: 0.01 }));
  const attack = judged.filter(({ kind }) => ATTACKS.has(kind));
  const ordinary = judged.filter(({ kind }) => !ATTACKS.has(kind));

  it("is an attack of 1 %", () => {
    expect(attack.length / judged.length).toBeCloseTo(0.01, 4);
  });

  it("has 95 % of the attack caught", () => {
    expect(share(attack, "flag", "reject")).toBeGreaterThanOrEqual(0.95);
    const ofNetwork = attack.filter(({ kind }) => kind === "network_flood");
    expect(share(ofNetwork, "reject")).toBeGreaterThanOrEqual(0.9);
  });

  it("refuses nobody for a mailbox that others use", () => {
    const ofMailbox = attack.filter(({ kind }) => kind === "alias_flood");
    expect(share(ofMailbox, "flag")).toBeGreaterThanOrEqual(0.9);
    expect(share(ofMailbox, "reject")).toBe(0);
  });

  it("refuses no ordinary visitor", () => {
    expect(share(ordinary, "reject")).toBe(0);
    expect(share(ordinary, "flag")).toBeLessThanOrEqual(0.05);
  });
});

describe.each([20_000, 50_000])("a day of %i ordinary visitors", (visitors) => {
  const judged = judge(createSignUpTrace({ seed: 2, visitors }));

  it("refuses nobody", () => {
    expect(judged.some(({ kind }) => ATTACKS.has(kind))).toBe(false);
    expect(share(judged, "reject")).toBe(0);
  });

  it("has nobody refused in an office or on a campus where all sign up within an hour", () => {
    const crowd = judged.filter(({ ip }) => ip === "81.9.9.1" || ip === "131.5.5.5");
    expect(crowd.length).toBeGreaterThanOrEqual(320);
    expect(share(crowd, "reject")).toBe(0);
  });
});
