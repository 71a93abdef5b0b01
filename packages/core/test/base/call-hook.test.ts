import { describe, expect, it, onTestFinished, vi } from "vitest";
import { callHook, callSyncHook, type HookCall } from "../../src/base/call-hook.js";
import { RiskGateError } from "../../src/base/errors.js";

function errorsOf<T>(how: Omit<HookCall<T>, "report">): [HookCall<T>, RiskGateError[]] {
  const errors: RiskGateError[] = [];
  return [{ ...how, report: (error) => errors.push(error) }, errors];
}

const asNumber = (result: unknown): number => {
  if (typeof result !== "number") throw new TypeError("expected a number");
  return result;
};

describe("callHook", () => {
  it("returns the result at once if it is not a promise", () => {
    const [how, errors] = errorsOf({ expects: asNumber, otherwise: 0 });
    expect(callHook("`count`", () => 3, how)).toBe(3);
    expect(errors).toEqual([]);
  });

  it("waits for a promise, and passes its value to `expects`", async () => {
    const [how, errors] = errorsOf({ expects: (value) => 2 * asNumber(value), otherwise: 0 });
    expect(await callHook("`count`", async () => 3, how)).toBe(6);
    expect(errors).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    ["throws", () => asNumber("")],
    ["rejects", async () => asNumber("")],
    ["returns something else", () => ""],
    ["resolves to something else", async () => ""],
    // oxlint-disable-next-line unicorn/no-thenable -- A hook may return anything.
    ["returns a thenable that throws", () => ({ then: asNumber })],
  ])("reports a hook that %s, and uses `otherwise`", async (_, call) => {
    const [how, errors] = errorsOf({ expects: asNumber, otherwise: -1 });
    expect(await callHook("`count`", call, how)).toBe(-1);
    expect(errors).toMatchObject([
      { code: "HOOK_FAILED", message: "`count` failed", cause: expect.any(TypeError) },
    ]);
  });

  it("reports a hook that exceeds its limit, and leaves no timer behind", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const limit = { ms: 50, option: "budgetMs" };
    const [how, errors] = errorsOf({ otherwise: undefined, limit });
    const late = callHook("`ip`", () => new Promise(() => {}), how);
    const inTime = callHook("`ip`", async () => "here", how);
    await vi.advanceTimersByTimeAsync(50);
    expect([await late, await inTime]).toEqual([undefined, "here"]);
    expect(errors.map(({ cause }) => String(cause))).toEqual([
      "TypeError: `ip` did not settle within `budgetMs`",
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("reports a RiskGateError unchanged only if asked to", () => {
    const own = new RiskGateError("STORE_FAILED", "the store failed");
    const call = (): never => {
      throw own;
    };
    const [how, errors] = errorsOf({ otherwise: undefined, reportsOwn: true });
    void callHook("`velocity`", call, how);
    void callHook("`velocity`", call, { ...how, reportsOwn: false });
    expect(errors[0]).toBe(own);
    expect(errors[1]).toMatchObject({ code: "HOOK_FAILED", cause: own });
  });
});

describe("callSyncHook", () => {
  it("reports a promise, and handles its rejection", async () => {
    const [how, errors] = errorsOf({ expects: asNumber, otherwise: 0 });
    const rejected = Promise.reject(new Error("too late"));
    expect(callSyncHook("`count`", () => rejected, how)).toBe(0);
    await expect(rejected).rejects.toThrow("too late");
    expect(errors).toMatchObject([{ message: "`count` failed", cause: expect.any(TypeError) }]);
  });

  it("reports a hook that throws", () => {
    const [how, errors] = errorsOf({ otherwise: 0 });
    expect(callSyncHook("`count`", () => asNumber(""), how)).toBe(0);
    expect(errors).toHaveLength(1);
  });
});
