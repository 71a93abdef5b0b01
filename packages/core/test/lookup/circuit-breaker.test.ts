import { describe, expect, it } from "vitest";
import { type Breaker, createBreaker } from "../../src/lookup/circuit-breaker.js";
import { type ErrorCode, RiskGateError } from "../../src/base/errors.js";

const outage = new RiskGateError("NETWORK", "refused");

/** A breaker that has just opened at time 0, with a cool-down of 100 ms. */
function opened(failures = 3): Breaker {
  const breaker = createBreaker({ failures, coolDownMs: 100 });
  for (let n = 0; n < failures; n++) breaker.settle(breaker.admit(0), outage, 0);
  return breaker;
}

describe("createBreaker", () => {
  it("lets calls through until so many have failed in a row", () => {
    const breaker = createBreaker({ failures: 3, coolDownMs: 100 });
    breaker.settle("call", outage, 0);
    breaker.settle("call", outage, 0);
    breaker.settle("call", undefined, 0);
    breaker.settle("call", outage, 0);
    breaker.settle("call", outage, 0);
    expect(breaker.admit(0)).toBe("call");
    breaker.settle("call", outage, 0);
    expect(breaker.admit(99)).toMatchObject({ code: "NETWORK" });
  });

  it.each<[ErrorCode, number | undefined, boolean]>([
    ["NETWORK", undefined, true],
    ["TIMEOUT", undefined, true],
    ["RATE_LIMITED", 429, true],
    ["UPSTREAM_STATUS", 500, true],
    ["UPSTREAM_STATUS", 404, false],
    ["BAD_REQUEST", 400, false],
    ["UNAUTHORIZED", 401, false],
    ["INVALID_RESPONSE", 200, false],
  ])("takes %s %s for an outage: %s", (code, status, counts) => {
    const breaker = createBreaker({ failures: 1, coolDownMs: 100 });
    const error = new RiskGateError(code, "x", status === undefined ? {} : { status });
    breaker.settle(breaker.admit(0), error, 0);
    const next = breaker.admit(0);
    if (counts) expect(next).toMatchObject({ code, ...(status !== undefined && { status }) });
    else expect(next).toBe("call");
  });

  it("admits one trial at a time after the cool-down", () => {
    const breaker = opened();
    expect(breaker.admit(100)).toBe("trial");
    expect(breaker.admit(100)).toBeInstanceOf(RiskGateError);
    breaker.settle("trial", outage, 150);
    expect(breaker.admit(249)).toBeInstanceOf(RiskGateError);
    expect(breaker.admit(250)).toBe("trial");
    breaker.settle("trial", undefined, 250);
    expect(breaker.admit(250)).toBe("call");
  });

  it("admits another trial after one that was given up", () => {
    const breaker = opened();
    breaker.settle(breaker.admit(100), null, 100);
    expect(breaker.admit(100)).toBe("trial");
  });

  it("does not end the trial with the late failure of an earlier call", () => {
    const breaker = opened();
    breaker.admit(100);
    breaker.settle("call", outage, 110);
    expect(breaker.admit(1000)).toBeInstanceOf(RiskGateError);
  });
});
