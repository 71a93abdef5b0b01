import { describe, expect, it } from "vitest";
import { createAttackMode } from "../../src/attack/attack-mode.js";
import { type AttackStore, createMemoryAttackStore } from "../../src/attack/attack-store.js";
import type { AttackMode } from "../../src/attack/attack-option.js";
import { thrown } from "../support/caught.js";

const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;
const START_MS = 1_750_000_200_000;

function open(options: Parameters<typeof createAttackMode>[0] = {}) {
  const clock = { nowMs: START_MS };
  const mode = createAttackMode({ now: () => clock.nowMs, ...options });
  return { clock, mode };
}

async function logIn(mode: AttackMode, isRight: boolean, isKnown = false) {
  const request = {};
  const reading = await mode.begin(request, isKnown);
  if (isRight) mode.end(request, "succeeded");
  return reading;
}

async function fail(mode: AttackMode, times: number) {
  let last;
  for (let index = 0; index < times; index++) last = await logIn(mode, false);
  return last;
}

describe("createAttackMode", () => {
  it("starts with the 31st failure in ten minutes, and ends after the last one", async () => {
    const { mode, clock } = open();
    expect(await fail(mode, 30)).toBeUndefined();
    expect(await logIn(mode, true)).toMatchObject({ failures: 31, limit: 30, enforced: true });
    expect(await logIn(mode, false)).toEqual({
      failures: 31,
      limit: 30,
      sign: "success_ratio",
      enforced: true,
    });
    clock.nowMs += 4 * MINUTE_MS;
    expect(await logIn(mode, false)).toBeDefined();
    clock.nowMs += 20 * MINUTE_MS;
    expect(await logIn(mode, false)).toBeUndefined();
  });

  it("counts each request once, and never a known device as a failure", async () => {
    const { mode } = open();
    const request = {};
    for (let index = 0; index < 100; index++) await mode.begin(request, false);
    for (let index = 0; index < 100; index++) await logIn(mode, false, true);
    expect(await fail(mode, 29)).toBeUndefined();
    expect(await logIn(mode, false)).toBeDefined();
  });

  it("counts attempts that are sent at once before any of them has ended", async () => {
    const { mode } = open();
    const readings = await Promise.all(
      Array.from({ length: 100 }, async () => mode.begin({}, false)),
    );
    expect(readings.filter((reading) => reading === undefined)).toHaveLength(30);
  });

  it.each(["passed", "refused"] as const)("takes a login back that is %s", async (how) => {
    const { mode } = open();
    await fail(mode, 30);
    for (let index = 0; index < 20; index++) {
      const request = {};
      await mode.begin(request, false);
      mode.end(request, how);
      mode.end(request, how);
    }
    expect(await logIn(mode, false)).toMatchObject({ failures: 31 });
  });

  it("compares with the same hour of earlier weeks", async () => {
    const { mode, clock } = open();
    for (let minute = -60; minute < 120; minute++) {
      clock.nowMs = START_MS + minute * MINUTE_MS;
      for (let index = 0; index < 50; index++) await logIn(mode, index % 10 > 0);
    }
    // 50 of 500 fail in ten minutes.
    clock.nowMs = START_MS + WEEK_MS;
    for (let index = 0; index < 500; index++) await logIn(mode, index % 10 > 0);
    const within = await fail(mode, 35);
    expect(within).toBeUndefined();
    expect(await fail(mode, 100)).toMatchObject({ sign: "success_ratio" });
    // At another hour, nothing is known yet.
    clock.nowMs += 12 * 60 * MINUTE_MS;
    expect(await fail(mode, 31)).toMatchObject({ failures: 31, limit: 30 });
  });

  it("does not learn from an attack", async () => {
    const { mode, clock } = open({ minimum: 10 });
    for (let minute = -60; minute < 120; minute++) {
      clock.nowMs = START_MS + minute * MINUTE_MS;
      await fail(mode, 20);
    }
    clock.nowMs = START_MS + WEEK_MS;
    expect(await fail(mode, 11)).toMatchObject({ failures: 11, limit: 10 });
  });

  it("shares the counts of a store by name", async () => {
    const store = createMemoryAttackStore();
    const [one, two] = [open({ store }).mode, open({ store }).mode];
    const other = open({ store, name: "api" }).mode;
    await fail(one, 15);
    await fail(two, 15);
    expect(await logIn(other, false)).toBeUndefined();
    expect(await logIn(one, false)).toMatchObject({ failures: 31 });
  });

  it.each<[string, AttackStore["count"]]>([
    ["rejects", async () => Promise.reject(new Error("down"))],
    [
      "throws",
      () => {
        throw new Error("down");
      },
    ],
    ["never answers", async () => new Promise(() => {})],
    ["returns nonsense", async () => [{ known: Number.NaN } as never]],
  ])("uses its own counts while the store %s", async (_, count) => {
    const codes: string[] = [];
    const { mode } = open({
      store: { count },
      timeoutMs: 5,
      minimum: 5,
      onError: ({ code }) => codes.push(code),
    });
    expect(mode.isSync).toBe(false);
    expect(await fail(mode, 5)).toBeUndefined();
    expect(await logIn(mode, false)).toMatchObject({ failures: 6 });
    expect(new Set(codes)).toEqual(new Set(["STORE_FAILED"]));
  });

  it("refuses unusable options", () => {
    for (const options of [
      { name: "" },
      { name: "a b" },
      { minimum: 0 },
      { mode: "off" },
      { store: {} },
    ]) {
      expect(thrown(() => createAttackMode(options as never)).code).toBe("CONFIG_INVALID");
    }
  });
});
