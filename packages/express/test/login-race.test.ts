import { describe, expect, it } from "vitest";
import { openShop } from "./support/login-shop.js";

const ANN = "ann@shop.example";
const network = (index: number): string => `${20 + (index >> 8)}.${index & 255}.7.9`;

/** A shop whose password check takes so long that all logins of a test are in it at once. */
const openSlowShop = () => openShop({ parallel: 500, passwordMs: 300 });

const sum = (counts: Iterable<number>): number => [...counts].reduce((all, one) => all + one, 0);

describe("guesses that are sent at once", () => {
  it("reach the password of one account as rarely as in sequence, from 300 networks", async () => {
    const { logIn, reached } = await openSlowShop();
    const guesses = Array.from({ length: 300 }, async (_, index) =>
      logIn(ANN, network(index), "wrong"),
    );
    await Promise.all(guesses);
    expect(reached.get(ANN)).toBeLessThanOrEqual(13);
  });

  it.each([
    ["address", () => "9.9.9.9"],
    ["/64", (index: number) => `2600:3c00:1:2::${index.toString(16)}`],
  ])("reach few passwords of 300 accounts from one %s", async (_, ip) => {
    const { logIn, reached } = await openSlowShop();
    const guesses = Array.from({ length: 300 }, async (_guess, index) =>
      logIn(`user${index}@shop.example`, ip(index), "wrong"),
    );
    await Promise.all(guesses);
    expect(sum(reached.values())).toBeLessThanOrEqual(65);
  });

  it("reach the password with a stolen cookie as often as its tries and a stranger's", async () => {
    const { logIn, reached, decisions } = await openSlowShop();
    const [stolen = ""] = (await logIn(ANN, "9.9.9.9", "right")).cookies;
    const guesses = Array.from({ length: 500 }, async (_, index) =>
      logIn(ANN, network(index), "wrong", stolen),
    );
    await Promise.all(guesses);
    expect(reached.get(ANN)).toBeLessThanOrEqual(10 + 13);
    expect(decisions.filter(({ device }) => device === "known")).toHaveLength(10);
  });
});

describe("right passwords that are sent at once", () => {
  it("are not refused or challenged for 50 people behind one address", async () => {
    const { logIn, decisions } = await openSlowShop();
    const people = Array.from({ length: 50 }, async (_, index) =>
      logIn(`user${index}@shop.example`, "9.9.9.9", "right"),
    );
    const answers = await Promise.all(people);
    expect(answers.map(({ status }) => status)).toEqual(people.map(() => 204));
    // Nothing remains of them.
    await logIn("last@shop.example", "9.9.9.9", "right");
    expect(decisions.at(-1)?.velocity).toBeUndefined();
  });

  it("are challenged at most, also for 300 people", async () => {
    const { logIn, decisions } = await openSlowShop();
    const people = Array.from({ length: 300 }, async (_, index) =>
      logIn(`user${index}@shop.example`, "9.9.9.9", "right"),
    );
    await Promise.all(people);
    expect(decisions).toHaveLength(300);
    expect(decisions.filter(({ outcome }) => outcome === "reject")).toEqual([]);
    expect(new Set(decisions.map(({ velocity }) => velocity?.adds ?? 0))).toEqual(new Set([0]));
  });
});
