import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/model/decision.js";
import { createGate } from "../../src/gate/gate.js";
import { createMemoryVelocityStore } from "../../src/velocity/memory-store.js";
import { createVelocity } from "../../src/velocity/velocity.js";
import { peekingLookup } from "../support/double-lookup.js";

const HOUR_MS = 3_600_000;

/** One try to log in, with the password that was given. */
interface Try {
  readonly atMs: number;
  readonly email: string;
  readonly ip: string;
  readonly isRight: boolean;
  readonly isAttack?: boolean;
}

type Judged = Try & { readonly outcome: Outcome };

/** Gates without and with a challenge. */
const GATES = [{}, { challengeAbove: 60 }];

/**
 * Plays logins against a gate on defaults and a store in memory. A visitor who is refused or challenged
 * does not reach the password check.
 */
function logIn(tries: readonly Try[], terms: object = {}, scores = {}): readonly Judged[] {
  const clock = { nowMs: 0 };
  const store = createMemoryVelocityStore({ now: () => clock.nowMs });
  const velocity = createVelocity({ counts: "failed_logins", store });
  const lookup = peekingLookup(scores, 0);
  const gate = createGate({ lookup, velocity, ...terms });
  return tries
    .toSorted((one, other) => one.atMs - other.atMs)
    .map((attempt) => {
      clock.nowMs = attempt.atMs;
      const { email, ip, isRight } = attempt;
      const { outcome } = gate.peek({ email, ip })!;
      if (outcome === "allow" || outcome === "flag") {
        void (isRight ? velocity.succeeded!({ email, ip }) : velocity.count({ email, ip }));
      }
      return { ...attempt, outcome };
    });
}

function count(judged: readonly Judged[], ...outcomes: readonly Outcome[]): number {
  return judged.filter(({ outcome }) => outcomes.includes(outcome)).length;
}

const share = (judged: readonly Judged[], ...outcomes: readonly Outcome[]): number =>
  count(judged, ...outcomes) / judged.length;

const times = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index));

/** Makes numbers from 0 to below 1, equal for equal seeds. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A person who logs in, and first mistypes with a probability; one in ten of those stops there. */
function person(random: () => number, atMs: number, email: string, ip: string, typos: number) {
  if (random() >= typos) return [{ atMs, email, ip, isRight: true }];
  const wrong = { atMs, email, ip, isRight: false };
  if (random() < 0.1) return [wrong];
  return [wrong, { atMs: atMs + 5_000 + random() * 60_000, email, ip, isRight: true }];
}

/** Addresses that each are in another network. */
const elsewhere = (index: number): string => `${20 + (index % 60)}.${(index / 60) | 0}.7.9`;

describe("the owner of an account that others attack", () => {
  const others = times(25, (index) => ({
    atMs: index * 1_000,
    email: "ann@shop.example",
    ip: elsewhere(index),
    isRight: false,
  }));
  const owner = { atMs: 60_000, email: "ann@shop.example", ip: "9.9.9.9", isRight: true };

  it.each(GATES.flatMap((terms) => [0, 6, 25, 60].map((score) => [score, terms] as const)))(
    "is not refused with an own score of %i and %j",
    (score, terms) => {
      const last = logIn([...others, owner], terms, { "9.9.9.9": score }).at(-1);
      expect(last?.outcome).toBe("challengeAbove" in terms ? "challenge" : "flag");
    },
  );
});

describe("an employee of a company at whose domain 500 accounts were invented", () => {
  it.each(GATES)("is not refused with a score of 25 and %j", (terms) => {
    const lookup = peekingLookup({ "9.9.9.9": 25 }, 0);
    const gate = createGate({ lookup, velocity: createVelocity(), ...terms });
    for (const index of times(500, (at) => at)) {
      gate.peek({ email: `invented${index}@company.example`, ip: elsewhere(index) });
    }
    const decision = gate.peek({ email: "ann@company.example", ip: "9.9.9.9" });
    expect(decision?.outcome).toBe("challengeAbove" in terms ? "challenge" : "flag");
    expect(decision?.velocity).toMatchObject({ adds: 0, sharedAdds: 60 });
  });
});

describe("a crowd behind one address", () => {
  it.each([1, 2, 3])("campus of 2,000 logins an hour, 3 typos in 100 (seed %i)", (seed) => {
    const random = randomNumbers(seed);
    const day = times(3 * 2_000, (index) => {
      const atMs = (index / 2_000) * HOUR_MS;
      return person(random, atMs, `student${(random() * 5_000) | 0}@uni.example`, "9.9.9.9", 0.03);
    });
    for (const terms of GATES)
      expect(count(logIn(day.flat(), terms), "reject", "challenge")).toBe(0);
  });

  it.each([4, 5, 6])(
    "conference of 400 people in half an hour, 5 typos in 100 (seed %i)",
    (seed) => {
      const random = randomNumbers(seed);
      const people = times(400, (index) =>
        person(
          random,
          (random() * HOUR_MS) / 2,
          `guest${index}@mail${index}.example`,
          "9.9.9.9",
          0.05,
        ),
      );
      expect(count(logIn(people.flat()), "reject", "challenge")).toBe(0);
    },
  );

  it("office in which one browser is made to post five wrong logins", () => {
    const staff = times(30, (index) => ({
      atMs: index * 60_000,
      email: `staff${index}@office.example`,
      ip: "9.9.9.9",
      isRight: true,
    }));
    for (const first of [0, 15 * 60_000]) {
      const posted = times(5, (index) => ({
        atMs: first + index,
        email: `victim${index}@other.example`,
        ip: "9.9.9.9",
        isRight: false,
      }));
      for (const terms of GATES) {
        const judged = logIn([...posted, ...staff], terms, { "9.9.9.9": 60 });
        expect(count(judged, "reject")).toBe(0);
      }
    }
  });

  it.each([7, 8])("ordinary day of 20,000 logins, with accounts under attack (seed %i)", (seed) => {
    const random = randomNumbers(seed);
    const below = (bound: number): number => Math.floor(random() * bound);
    const ipOf = (account: number): string => {
      const kind = account % 100;
      if (kind < 60) return `84.${account & 255}.${(account >> 8) & 255}.${account % 250}`;
      if (kind < 80) return `100.128.0.${account % 40}`;
      return kind < 92 ? `80.1.${account % 200}.1` : `130.1.7.${account % 6}`;
    };
    const ordinary = times(19_000, () => {
      const account = below(8_000);
      const atMs = random() * 24 * HOUR_MS;
      return person(random, atMs, `user${account}@mail.example`, ipOf(account), 0.03);
    });
    const attack = times(1_000, (index) => ({
      atMs: (19 + random()) * HOUR_MS,
      email: `user${index % 20}@mail.example`,
      ip: elsewhere(index),
      isRight: false,
      isAttack: true,
    }));
    const judged = logIn([...ordinary.flat(), ...attack]).filter(({ isAttack }) => !isAttack);
    expect(judged.length).toBeGreaterThan(19_000);
    expect(count(judged, "reject", "challenge")).toBe(0);
  });
});

describe("attacks on logins", () => {
  const guesses = (
    length: number,
    ip: (index: number) => string,
    isRight?: (index: number) => boolean,
  ) =>
    times(length, (index) => ({
      atMs: index * 500,
      email: `user${index}@mail.example`,
      ip: ip(index),
      isRight: isRight?.(index) === true,
    }));

  it.each<[string, (index: number) => string]>([
    ["one address", () => "9.9.9.9"],
    ["one /64", (index) => `2600:3c00:1:2::${index.toString(16)}`],
  ])("from %s are refused, 95 in 100, with one right guess in 100", (_, ip) => {
    const judged = logIn(guesses(2_000, ip, (index) => index % 100 === 99));
    expect(share(judged, "reject")).toBeGreaterThanOrEqual(0.95);
    expect(count(judged.slice(0, 60), "flag")).toBeGreaterThan(0);
  });

  it("are refused though the guesser logs in with an own account in between", () => {
    const own = times(2_000, (index) => ({
      atMs: index * 500 + 1,
      email: "eve@mail.example",
      ip: "9.9.9.9",
      isRight: true,
    }));
    const judged = logIn([...guesses(2_000, () => "9.9.9.9"), ...own]);
    expect(
      share(
        judged.filter(({ isRight }) => !isRight),
        "reject",
      ),
    ).toBeGreaterThanOrEqual(0.95);
  });

  it("are refused while the same accounts are tried hour after hour", () => {
    const judged = logIn(
      times(5_000, (index) => ({
        atMs: (index / 200) * HOUR_MS,
        email: `user${index % 200}@mail.example`,
        ip: "9.9.9.9",
        isRight: false,
      })),
    );
    // A refused request is not counted, so that the counts sink until some pass again.
    expect(share(judged, "flag", "reject")).toBeGreaterThanOrEqual(0.95);
    expect(share(judged, "reject")).toBeGreaterThanOrEqual(0.7);
  });

  it.each(GATES)("from one /24 are caught, 95 in 100, with %j", (terms) => {
    const judged = logIn(
      guesses(4_000, (index) => `9.9.9.${index & 3}`),
      terms,
    );
    expect(share(judged, "flag", "challenge", "reject")).toBeGreaterThanOrEqual(0.95);
  });

  it.each(GATES)("from 200 networks on one account are caught, 95 in 100, with %j", (terms) => {
    const judged = logIn(
      times(2_000, (index) => ({
        atMs: index * 1_000,
        email: "ann@mail.example",
        ip: elsewhere(index % 200),
        isRight: false,
      })),
      terms,
    );
    expect(share(judged, "flag", "challenge")).toBeGreaterThanOrEqual(0.95);
  });
});
