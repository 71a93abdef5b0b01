import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../../src/base/errors.js";
import { createGate } from "../../src/gate/gate.js";
import type { VelocityReading } from "../../src/model/velocity-reading.js";
import { isVelocityReading } from "../../src/model/velocity-reading.js";
import { createMemoryVelocityStore } from "../../src/velocity/memory-store.js";
import { createVelocity, type VelocityOptions } from "../../src/velocity/velocity.js";
import type { Tally } from "../../src/velocity/velocity-store.js";
import { peekingLookup } from "../support/double-lookup.js";
import { thrown } from "../support/caught.js";

const SECRET = "velocity-secret-of-at-least-32-bytes";
const CARD = "4242 4242 4242 4242";

interface SignUp {
  readonly card?: unknown;
  readonly phone?: unknown;
}

const by = {
  card: ({ card }: SignUp) => card,
  phone: ({ phone }: SignUp) => (phone as string).slice(0, 6),
};

/** A gate over a velocity, with the tallies that its store received. */
function openGate(options: Partial<VelocityOptions<SignUp, "card" | "phone">> = {}) {
  const memory = createMemoryVelocityStore();
  const tallies: Tally[] = [];
  const store = {
    isSync: true,
    tally: (tally: Tally) => (tallies.push(tally), memory.tally(tally)),
  };
  const velocity = createVelocity({ by, secret: SECRET, store, ...options });
  const errors: ErrorCode[] = [];
  const gate = createGate({
    lookup: peekingLookup({}, 0),
    velocity,
    onError: ({ code }) => void errors.push(code),
  });
  let count = 0;
  const signUp = (scope: SignUp) =>
    gate.decide({ email: `person${count}@shop${count++}.example` }, { scope });
  return { signUp, tallies, errors, velocity };
}

describe("an own subject", () => {
  it("adds points that refuse nobody", async () => {
    const { signUp } = openGate();
    for (let use = 0; use < 4; use++) await signUp({ card: CARD, phone: `+3161${use}00000` });
    const { score, outcome, velocity } = await signUp({ card: CARD, phone: "+31699999999" });
    expect({ score, outcome, velocity }).toEqual({
      score: 75,
      outcome: "flag",
      velocity: {
        adds: 0,
        sharedAdds: 75,
        signals: [{ name: "by.card", count: 5, weight: 75 }],
      },
    });
    expect(isVelocityReading(velocity)).toBe(true);
    expect((await signUp({ card: "4000 0000 0000 0002", phone: "+44" })).velocity).toBeUndefined();
  });

  it("counts text without whitespace around it, and numbers", async () => {
    const { signUp } = openGate();
    const uses = [" 42 ", "42", 42, 42n, "42\t"].map((card) => signUp({ card, phone: "" }));
    expect((await Promise.all(uses)).at(-1)?.velocity?.signals[0]?.count).toBe(5);
  });

  it("does not count without a value", async () => {
    const { signUp, tallies, errors } = openGate();
    for (const card of [undefined, null, "", "  "]) await signUp({ card, phone: " " });
    const counters = tallies.flatMap((tally) => tally.counters);
    expect(counters.filter((name) => name.includes("by."))).toEqual([]);
    expect(errors).toEqual([]);
  });

  it("counts the same form again with another value, whatever was sent with it before", () => {
    const value = fc.constantFrom("1", "2", "3");
    const form = fc.record({ person: fc.nat(3), card: value, phone: value });
    fc.assert(
      fc.property(fc.array(form, { maxLength: 40 }), form, (forms, last) => {
        const { velocity } = openGate({ limits: { card: { from: 1, to: 2, weight: 75 } } });
        const send = ({ person, card, phone }: typeof last) => {
          const keys = velocity.keysOf!({ card, phone }, expect.unreachable);
          return velocity.count({ email: `p${person}@shop.example`, ip: "9.9.9.9", keys });
        };
        for (const one of forms) void send(one);
        const { signals } = (send(last) as VelocityReading | undefined) ?? { signals: [] };
        const people = [...forms, last].filter(({ card }) => card === last.card);
        const count = new Set(people.map(({ person }) => person)).size;
        const expected = count > 1 ? count : undefined;
        expect(signals.find(({ name }) => name === "by.card")?.count).toBe(expected);
      }),
    );
  });

  it("reports a function that fails, and counts the others", async () => {
    const { signUp, errors } = openGate();
    const last = await Promise.all([1, 2, 3, 4, 5].map(() => signUp({ card: CARD, phone: 5 })));
    expect(last.at(-1)?.velocity?.signals).toMatchObject([{ name: "by.card", count: 5 }]);
    expect(errors).toEqual(Array.from({ length: 5 }, () => "HOOK_FAILED"));
    for (const card of [{}, [CARD], true, Number.NaN, Promise.reject(new Error("late"))]) {
      await signUp({ card, phone: "" });
    }
    expect(errors).toHaveLength(10);
  });

  it("counts all values that are not text as one, and reports them", async () => {
    const { signUp, errors } = openGate();
    const values = [["friend"], [["friend"]], { $eq: "friend" }, true, Number.POSITIVE_INFINITY];
    for (const card of values) await signUp({ card, phone: "" });
    const { outcome, velocity } = await signUp({ card: ["friend", 7], phone: "" });
    expect({ outcome, velocity }).toMatchObject({
      outcome: "flag",
      velocity: { adds: 0, signals: [{ name: "by.card", count: 6, weight: 75 }] },
    });
    expect(errors).toEqual(Array.from({ length: 6 }, () => "HOOK_FAILED"));
    // Ordinary visitors are counted by their own values.
    expect((await signUp({ card: "friend", phone: "" })).velocity).toBeUndefined();
  });

  it("does not count promises, which no client can send", async () => {
    const { signUp, errors } = openGate();
    for (let use = 0; use < 6; use++) {
      const card = Promise.resolve(CARD);
      expect((await signUp({ card, phone: "" })).velocity).toBeUndefined();
    }
    expect(errors).toHaveLength(6);
  });

  it("leaves the process as a digest only", async () => {
    const { signUp, tallies } = openGate();
    await signUp({ card: CARD, phone: "+31612345678" });
    const names = tallies.flatMap((tally) => tally.counters).filter((name) => name.includes("by."));
    expect(names).toEqual([
      expect.stringMatching(/^signups:3600000:by\.card:[\w-]{22}$/),
      expect.stringMatching(/^signups:3600000:by\.phone:[\w-]{22}$/),
    ]);
    expect(JSON.stringify(tallies)).not.toMatch(/4242|31612/);
    const other = openGate({ secret: `${SECRET} of another application` });
    await other.signUp({ card: CARD, phone: "" });
    const [otherName] = other.tallies.flatMap((tally) => tally.counters).slice(-1);
    expect(names).not.toContain(otherName);
  });

  it("has a separate limit and window, or no limit", async () => {
    const day = 86_400_000;
    const { signUp, tallies } = openGate({
      limits: { card: { from: 1, to: 2, weight: 60, windowMs: day }, phone: false },
    });
    await signUp({ card: CARD, phone: "+31" });
    const { velocity } = await signUp({ card: CARD, phone: "+31" });
    expect(velocity?.signals).toEqual([{ name: "by.card", count: 2, weight: 60 }]);
    const windows = tallies.flatMap(({ counters, windowMs }) =>
      counters.filter((name) => name.includes("by.")).map(() => windowMs),
    );
    expect(windows).toEqual([day, day]);
  });

  it("counts failed logins by accounts, like a network", () => {
    const velocity = createVelocity({
      counts: "failed_logins",
      by: { device: (request: { device: string }) => request.device },
      secret: SECRET,
    });
    const keys = velocity.keysOf!({ device: "phone-1" }, expect.unreachable);
    const fail = (email: string) => velocity.count({ email, keys }) as VelocityReading | undefined;
    const readings = [1, 2, 3, 4, 5].map((person) => fail(`p${person}@shop.example`));
    expect(readings.at(-1)?.signals).toEqual([{ name: "by.device", count: 5, weight: 75 }]);
    for (let person = 6; person < 17; person++) {
      void velocity.succeeded!({ email: `p${person}@shop.example`, keys });
    }
    expect(velocity.read({ keys })).toBeUndefined();
  });
});

it.each<[object, string]>([
  [{ by }, "`secret` must be text or bytes, at least 32 bytes long, if `by` is set, given nothing"],
  [
    { by, secret: "short" },
    "`secret` must be text or bytes, at least 32 bytes long, if `by` is set, given a string",
  ],
  [{ by: { card: "card" }, secret: SECRET }, '`by.card` must be a function, given "card"'],
  [
    { by: { asn: () => 1 }, secret: SECRET },
    '`by.asn` must be named by at most 30 letters, digits and `_`, unlike a built-in subject, given "asn"',
  ],
  [
    { by: { "a b": () => 1 }, secret: SECRET },
    '`by.a b` must be named by at most 30 letters, digits and `_`, unlike a built-in subject, given "a b"',
  ],
  [
    { by, secret: SECRET, limits: { cards: { from: 1 } } },
    "`limits.cards`: unknown option; did you mean `card`?",
  ],
])("refuses %j with the reason", (options, message) => {
  expect(thrown(() => createVelocity(options)).message).toBe(message);
});
