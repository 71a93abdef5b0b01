import { describe, expect, it } from "vitest";
import { HOUR_MS, openShop, randomNumbers } from "../support/login-shop.js";

const MINUTE_MS = 60_000;

/** Accounts of the shop, all of which the attacker knows. */
const ACCOUNTS = 1_500;
/** Those whose password the attacker knows too. */
const LEAKED = 15;
const LOGINS_PER_MINUTE = 14;

const accountOf = (index: number): string => `user${index}@shop.example`;
const homeOf = (index: number): string => `84.${index >> 8}.${index & 255}.1`;
const elsewhere = (index: number): string => `${20 + (index % 60)}.${(index / 60) | 0}.7.9`;

type Shop = Awaited<ReturnType<typeof openShop>>;

/** People who log in: nearly all from a browser that they have used before. */
function ordinaryPeople({ logIn }: Shop, random: () => number) {
  const cookies = new Map<number, string>();
  const at = (length: number): number => Math.floor(random() * length);
  return async function comeAndGo(): Promise<void> {
    const person = at(400);
    const cookie = random() < 0.05 ? undefined : cookies.get(person);
    const isMistyped = random() < (cookie === undefined ? 0.1 : 0.03);
    const log = async (password: string, token?: string) =>
      logIn(accountOf(person), homeOf(person), password, cookie, token);
    if (isMistyped) await log("wrong");
    let answer = await log("right");
    // One in four finds a challenge too much.
    if (answer.token !== undefined && random() < 0.75) answer = await log("right", answer.token);
    if (answer.status === 204) cookies.set(person, answer.cookies.at(-1) ?? "");
  };
}

describe("1,500 logins in a minute from 1,500 networks, 15 of them right", () => {
  it.each([1, 2, 3])("take at most one account (seed %i)", async (seed) => {
    const random = randomNumbers(seed);
    const shop = await openShop({ hasAttackMode: true });
    const { clock, decisions, logIn } = shop;
    const person = ordinaryPeople(shop, random);
    const order = Array.from({ length: ACCOUNTS }, (_, index) => index)
      .map((index) => [random(), index] as const)
      .toSorted(([one], [other]) => one - other)
      .map(([, index]) => index);
    const leaked = new Set(order.toSorted(() => random() - 0.5).slice(0, LEAKED));
    for (let login = 0; login < 30 * LOGINS_PER_MINUTE; login++) {
      clock.nowMs += MINUTE_MS / LOGINS_PER_MINUTE;
      await person();
    }
    // On the first day, every browser is new once, and people still pass unasked.
    expect(decisions.filter(({ outcome }) => outcome !== "allow")).toEqual([]);

    const before = decisions.length;
    const attacked = new Set<number>();
    let reached = 0;
    let taken = 0;
    for (const [index, account] of order.entries()) {
      clock.nowMs += MINUTE_MS / ACCOUNTS;
      if (index % Math.ceil(ACCOUNTS / LOGINS_PER_MINUTE) === 0) await person();
      attacked.add(decisions.length);
      const password = leaked.has(account) ? "right" : "wrong";
      const { status } = await logIn(accountOf(account), elsewhere(index), password);
      if (status !== 403) reached++;
      if (status === 204) taken++;
    }
    expect(reached).toBeLessThanOrEqual(75);
    expect(taken).toBeLessThanOrEqual(1);
    for (let login = 0; login < 30 * LOGINS_PER_MINUTE; login++) {
      clock.nowMs += MINUTE_MS / LOGINS_PER_MINUTE;
      await person();
    }
    const ordinary = decisions.filter((_, index) => index >= before && !attacked.has(index));
    const asked = ordinary.filter(({ outcome }) => outcome !== "allow");
    for (const { outcome, because, device } of asked) {
      expect({ outcome, because, device }).toEqual({
        outcome: "challenge",
        because: "attack_mode",
        device: "new",
      });
    }
    // It ends automatically.
    expect(ordinary.slice(-5 * LOGINS_PER_MINUTE).every(({ attack }) => !attack)).toBe(true);
  });

  it("reach the password as rarely if they are sent at once", async () => {
    const shop = await openShop({ hasAttackMode: true, parallel: 100 });
    const tries = Array.from({ length: ACCOUNTS }, async (_, index) =>
      shop.logIn(accountOf(index), elsewhere(index), "wrong"),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(30);
  });
});

describe("an attack that never ends", () => {
  it("asks nobody with a known device for a day", async () => {
    const random = randomNumbers(4);
    const shop = await openShop({ hasAttackMode: true });
    const { clock, decisions, logIn } = shop;
    const cookies: string[] = [];
    const owner = async (index: number): Promise<void> => {
      const { status, cookies: set } = await logIn(
        accountOf(index),
        homeOf(index),
        "right",
        cookies[index],
      );
      expect(status).toBe(204);
      [cookies[index] = ""] = set;
    };
    for (let index = 0; index < 100; index++) await owner(index);
    const TRIES = 6_000;
    let reached = 0;
    for (let guess = 0; guess < TRIES; guess++) {
      clock.nowMs += (24 * HOUR_MS) / TRIES;
      const account = accountOf(Math.floor(random() * ACCOUNTS));
      const { status } = await logIn(account, elsewhere(guess), "wrong");
      if (status !== 403) reached++;
      if (guess % 6 === 0) await owner(Math.floor(random() * 100));
    }
    const known = decisions.filter(({ device }) => device === "known");
    expect(known).toHaveLength(1_000);
    expect(known.every(({ outcome }) => outcome === "allow")).toBe(true);
    expect(reached).toBeLessThanOrEqual(75);
  });
});
