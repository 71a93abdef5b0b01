import { describe, expect, it } from "vitest";
import type { Admission } from "../../src/base/circuit-breaker.js";
import { LookupBreaker } from "../../src/lookup/lookup-breaker.js";
import { type ErrorCode, RiskGateError } from "../../src/base/errors.js";

const outage = new RiskGateError("NETWORK", "refused");

/** A breaker that has just opened at time 0, with a cool-down of 100 ms. */
function opened(failures = 3): LookupBreaker {
  const breaker = new LookupBreaker({ failures, coolDownMs: 100 });
  for (let n = 0; n < failures; n++) end(breaker, breaker.admit(0), outage, 0);
  return breaker;
}

function end(
  breaker: LookupBreaker,
  admission: Admission,
  error: RiskGateError | null | undefined,
  nowMs: number,
): void {
  if (error === undefined) breaker.settle(admission, "works", nowMs);
  else breaker.fail(admission, error ?? undefined, nowMs);
}

/** The error of a call that is refused. */
function refusal(breaker: LookupBreaker, nowMs: number): RiskGateError | undefined {
  expect(breaker.admit(nowMs)).toBe("refused");
  return breaker.refusal(nowMs);
}

describe("LookupBreaker", () => {
  it("lets calls through until so many have failed in a row", () => {
    const breaker = new LookupBreaker({ failures: 3, coolDownMs: 100 });
    end(breaker, "call", outage, 0);
    end(breaker, "call", outage, 0);
    end(breaker, "call", undefined, 0);
    end(breaker, "call", outage, 0);
    end(breaker, "call", outage, 0);
    expect(breaker.admit(0)).toBe("call");
    end(breaker, "call", outage, 0);
    expect(refusal(breaker, 99)).toMatchObject({ code: "NETWORK" });
  });

  it("opens after three in a row that span 1.5 seconds, however many are allowed", () => {
    const breaker = new LookupBreaker({ failures: 10, coolDownMs: 100 });
    end(breaker, breaker.admit(0), outage, 800);
    end(breaker, breaker.admit(800), outage, 2_299);
    expect(breaker.admit(2_299)).toBe("call");
    end(breaker, "call", outage, 2_299);
    expect(breaker.admit(2_299)).toBe("call");
    end(breaker, "call", outage, 2_300);
    expect(refusal(breaker, 2_300)).toMatchObject({ code: "NETWORK" });
  });

  it.each<[ErrorCode, number | undefined, boolean]>([
    ["NETWORK", undefined, true],
    ["TIMEOUT", undefined, true],
    ["RATE_LIMITED", 429, true],
    ["UPSTREAM_STATUS", 500, true],
    ["UPSTREAM_STATUS", 408, true],
    ["UPSTREAM_STATUS", 425, true],
    ["UPSTREAM_STATUS", 402, false],
    ["UPSTREAM_STATUS", 404, false],
    ["UPSTREAM_STATUS", 414, false],
    ["UPSTREAM_STATUS", 499, false],
    ["BAD_REQUEST", 400, false],
    ["UNAUTHORIZED", 401, false],
    ["INVALID_RESPONSE", 200, false],
  ])("takes %s %s for an outage: %s", (code, status, counts) => {
    const breaker = new LookupBreaker({ failures: 1, coolDownMs: 100 });
    const error = new RiskGateError(code, "x", status === undefined ? {} : { status });
    end(breaker, breaker.admit(0), error, 0);
    const next = counts ? refusal(breaker, 0) : breaker.admit(0);
    if (counts) expect(next).toMatchObject({ code, ...(status !== undefined && { status }) });
    else expect(next).toBe("call");
  });

  it("admits one trial at a time after the cool-down", () => {
    const breaker = opened();
    expect(breaker.admit(100)).toBe("trial");
    expect(breaker.admit(100)).toBe("refused");
    end(breaker, "trial", outage, 150);
    expect(breaker.admit(249)).toBe("refused");
    expect(breaker.admit(250)).toBe("trial");
    end(breaker, "trial", undefined, 250);
    expect(breaker.admit(250)).toBe("call");
  });

  it.each<[string, RiskGateError | null]>([
    ["was cancelled", null],
    ["met a 404", new RiskGateError("UPSTREAM_STATUS", "x", { status: 404 })],
    ["met a redirect", new RiskGateError("REDIRECT_REFUSED", "x", { status: 301 })],
    ["met a page", new RiskGateError("INVALID_RESPONSE", "x", { status: 200 })],
  ])("stays open, and tries again after the cool-down, when a trial %s", (_, error) => {
    const breaker = opened();
    end(breaker, breaker.admit(100), error, 120);
    expect(refusal(breaker, 199)).toMatchObject({ code: "NETWORK" });
    expect(breaker.admit(200)).toBe("trial");
  });

  it("does not let an answer that one identifier can cause end a row of failures", () => {
    const breaker = new LookupBreaker({ failures: 3, coolDownMs: 100 });
    const notFound = new RiskGateError("UPSTREAM_STATUS", "x", { status: 404 });
    for (const error of [outage, notFound, outage, notFound, outage]) {
      expect(breaker.admit(0)).toBe("call");
      end(breaker, "call", error, 0);
    }
    expect(refusal(breaker, 0)).toMatchObject({ code: "NETWORK" });
  });

  it.each<[string, RiskGateError | undefined]>([
    ["an answer", undefined],
    ["401", new RiskGateError("UNAUTHORIZED", "x", { status: 401 })],
    ["400", new RiskGateError("BAD_REQUEST", "x", { status: 400 })],
  ])("closes after %s", (_, error) => {
    const breaker = opened();
    end(breaker, breaker.admit(100), error, 120);
    expect(breaker.admit(120)).toBe("call");
  });

  it("does not end the trial with the late failure of an earlier call", () => {
    const breaker = opened();
    breaker.admit(100);
    end(breaker, "call", outage, 110);
    expect(breaker.admit(1000)).toBe("refused");
  });

  it.each([
    ["RATE_LIMITED", 429],
    ["UPSTREAM_STATUS", 503],
  ] as const)("makes no call before the time that %s asks for", (code, status) => {
    const breaker = new LookupBreaker({ failures: 3, coolDownMs: 100 });
    breaker.heed(new RiskGateError(code, "x", { status, retryAfterMs: 1000 }), 0);
    expect(refusal(breaker, 400)).toMatchObject({ code, status, retryAfterMs: 600 });
    end(breaker, "call", undefined, 500);
    expect(refusal(breaker, 999)).toMatchObject({ code, retryAfterMs: 1 });
    expect(breaker.admit(1000)).toBe("call");
  });

  it("waits for the later of the two when the service asks for a pause and keeps failing", () => {
    const breaker = opened();
    breaker.heed(new RiskGateError("RATE_LIMITED", "x", { retryAfterMs: 50 }), 0);
    expect(breaker.admit(99)).toBe("refused");
    breaker.heed(new RiskGateError("RATE_LIMITED", "x", { retryAfterMs: 500 }), 100);
    expect(breaker.admit(599)).toBe("refused");
    expect(breaker.admit(600)).toBe("trial");
  });

  it("ignores the pause of an answer that one identifier can cause", () => {
    const breaker = new LookupBreaker({ failures: 3, coolDownMs: 100 });
    const error = new RiskGateError("UPSTREAM_STATUS", "x", { status: 404, retryAfterMs: 1000 });
    breaker.heed(error, 0);
    expect(breaker.admit(0)).toBe("call");
  });
});
