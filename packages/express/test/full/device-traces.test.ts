import { describe, expect, it } from "vitest";
import { HOUR_MS, openShop, randomNumbers, START_MS } from "../support/login-shop.js";

const elsewhere = (index: number): string => `${20 + (index % 60)}.${(index / 60) | 0}.7.9`;
const accountOf = (index: number): string => `user${index}@shop.example`;
const homeOf = (index: number): string => `84.${index}.1.1`;

describe("10,000 guesses from 5,000 networks on 100 accounts", () => {
  it.each([1, 2])("ask no owner's browser, before, during and after (seed %i)", async (seed) => {
    const random = randomNumbers(seed);
    const { logIn, reached, decisions } = await openShop();
    const cookies: string[] = [];
    const ownerLogsIn = async (index: number): Promise<void> => {
      const { status, cookies: set } = await logIn(
        accountOf(index),
        homeOf(index),
        "right",
        cookies[index],
      );
      expect(status, accountOf(index)).toBe(204);
      [cookies[index] = ""] = set;
    };
    for (let index = 0; index < 100; index++) await ownerLogsIn(index);
    let refused = 0;
    for (let guess = 0; guess < 10_000; guess++) {
      const account = accountOf(Math.floor(random() * 100));
      const { status } = await logIn(account, elsewhere(Math.floor(random() * 5_000)), "wrong");
      if (status === 403) refused++;
      if (guess % 50 === 49) await ownerLogsIn(Math.floor(random() * 100));
    }
    for (let index = 0; index < 100; index++) await ownerLogsIn(index);
    const byOwners = decisions.filter(({ device }) => device === "known");
    expect(byOwners).toHaveLength(300);
    expect(byOwners.every(({ outcome }) => outcome === "allow")).toBe(true);
    expect(refused).toBeGreaterThan(8_000);
    expect(Math.max(...reached.values())).toBeLessThanOrEqual(25);
  });
});

describe("10,000 cookies that are not valid", () => {
  it("are not accepted", async () => {
    const random = randomNumbers(3);
    const { logIn, decisions, clock } = await openShop();
    const [eve = ""] = (await logIn("eve@shop.example", "9.9.9.9", "right")).cookies;
    const [old = ""] = (await logIn(accountOf(0), homeOf(0), "right")).cookies;
    clock.nowMs += 181 * 24 * HOUR_MS;
    const [valid = ""] = (await logIn(accountOf(0), homeOf(0), "right")).cookies;
    const [name = "", value = ""] = valid.split("=");
    const at = (length: number): number => Math.floor(random() * length);
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const text = (length: number): string => Array.from({ length }, () => letters[at(64)]).join("");
    const kinds: readonly (() => string)[] = [
      () => `${name}=${START_MS + clock.nowMs}.${text(22)}.${text(43)}`,
      () => `${name}=${eve.split("=")[1]}`,
      () => old,
      () => valid.slice(0, name.length + 1 + at(value.length)),
      () => `${valid}${letters[at(64)]}`,
      () => {
        const place = at(value.length);
        const other = value[place] === "7" ? "8" : "7";
        return `${name}=${value.slice(0, place)}${other}${value.slice(place + 1)}`;
      },
    ];
    decisions.length = 0;
    for (let index = 0; index < 10_000; index++) {
      const cookie = kinds[index % kinds.length]?.();
      clock.nowMs += 60_000;
      await logIn(accountOf(0), elsewhere(index % 5_000), "wrong", cookie);
    }
    expect(decisions).toHaveLength(10_000);
    expect(decisions.filter(({ device }) => device !== "new")).toEqual([]);
  });
});

describe("a stolen cookie", () => {
  it("stops working after its budget, and the owner's next one does not", async () => {
    const { logIn, reached, decisions } = await openShop({ parallel: 50 });
    const ann = "ann@shop.example";
    const [stolen = ""] = (await logIn(ann, "9.9.9.9", "right")).cookies;
    // So many strangers have failed that only a known device passes.
    for (let index = 0; index < 30; index++) await logIn(ann, elsewhere(index), "wrong");
    const before = reached.get(ann)!;
    await Promise.all(
      Array.from({ length: 500 }, async (_, index) =>
        logIn(ann, elsewhere(1_000 + index), "wrong", stolen),
      ),
    );
    expect(reached.get(ann)! - before).toBe(10);
    expect(decisions.at(-1)?.device).toBe("revoked");
  });
});

describe("25 wrong passwords by others", () => {
  it.each([0, 6, 25, 60])("do not affect an owner with a score of %i", async (score) => {
    const { logIn, decisions } = await openShop({ scores: { "9.9.9.9": { risk_score: score } } });
    const ann = "ann@shop.example";
    const { cookies } = await logIn(ann, "9.9.9.9", "right");
    for (let index = 0; index < 25; index++) await logIn(ann, elsewhere(index), "wrong");
    expect((await logIn(ann, "9.9.9.9", "right", cookies[0])).status).toBe(204);
    expect(decisions.at(-1)).toMatchObject({ device: "known", score });
    // From a new browser, the owner is challenged and never refused.
    await logIn(ann, "9.9.9.9", "right");
    expect(decisions.at(-1)?.outcome).toBe("challenge");
  });
});

describe("one account guessed from 200 networks", () => {
  const ann = "ann@shop.example";

  it.each<[string, number, number]>([
    ["an hour", HOUR_MS, 25],
    ["a day", 24 * HOUR_MS, 100],
  ])("reaches the password rarely within %s", async (_, spanMs, most) => {
    const { logIn, reached, clock, decisions, logins } = await openShop();
    // The worst moment: just before the parts that a window consists of change.
    clock.nowMs = 1_000 * 24 * HOUR_MS - spanMs / 5;
    let [cookie = ""] = (await logIn(ann, "9.9.9.9", "right")).cookies;
    const TRIES = 2_400;
    for (let guess = 0; guess < TRIES; guess++) {
      clock.nowMs += spanMs / TRIES;
      await logIn(ann, elsewhere(guess % 200), "wrong");
      if (guess % 100 !== 99) continue;
      const owner = await logIn(ann, "9.9.9.9", "right", cookie);
      expect(owner.status).toBe(204);
      [cookie = ""] = owner.cookies;
    }
    expect(reached.get(ann)).toBeLessThanOrEqual(most);
    const owners = decisions.filter(({ device }) => device === "known");
    expect(owners.filter(({ outcome }) => outcome !== "allow")).toEqual([]);
    // What the service detects the attack by: failures of this account from many networks.
    const failures = logins.filter(({ success }) => !success);
    expect(failures.length).toBe(reached.get(ann));
    expect(new Set(failures.map(({ address }) => address)).size).toBeGreaterThan(10);
  });
});
