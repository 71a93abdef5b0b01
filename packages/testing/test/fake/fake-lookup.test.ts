import { describe, expect, it } from "vitest";
import { createFakeLookup, type FakeLookupOptions } from "../../src/fake/fake-lookup.js";

const rejection = async (promise: Promise<unknown>) =>
  promise.then(
    () => "resolved",
    (error: { code: string }) => error.code,
  );

describe("createFakeLookup", () => {
  it("answers by identifier, and 0 about everybody else", async () => {
    const lookup = createFakeLookup({
      "bad@x.y": { risk_score: 95, is_disposable: true },
      "2001:db8::1": { risk_score: 50 },
    });
    expect(await lookup.lookupEmail("bad@X.Y")).toMatchObject({
      email: "bad@X.Y",
      risk_score: 95,
      is_disposable: true,
    });
    expect((await lookup.lookupIp("2001:DB8:0::1")).risk_score).toBe(50);
    expect((await lookup.lookupIp("192.0.2.1")).risk_score).toBe(0);
    expect(lookup.calls.map(({ value }) => value)).toEqual(["bad@X.Y", "2001:db8::1", "192.0.2.1"]);
  });

  it.each([
    ["timeout", "TIMEOUT"],
    ["network", "NETWORK"],
    ["rate_limited", "RATE_LIMITED"],
    ["unauthorized", "UNAUTHORIZED"],
    ["server", "UPSTREAM_STATUS"],
    ["unreadable", "INVALID_RESPONSE"],
  ] as const)("fails with %s as a client does", async (fault, code) => {
    const lookup = createFakeLookup({}, { otherwise: { fault } });
    expect(await rejection(lookup.lookupIp("192.0.2.1"))).toBe(code);
    expect(await rejection(lookup.lookupEmail("a@x.y"))).toBe(code);
  });

  it("waits as told, and ends with the signal", async () => {
    const lookup = createFakeLookup({
      "a@x.y": { delayMs: 20, risk_score: 5 },
      "b@x.y": { delayMs: Infinity },
    });
    const startedMs = performance.now();
    expect((await lookup.lookupEmail("a@x.y")).risk_score).toBe(5);
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(18);
    const abort = new AbortController();
    const pending = lookup.lookupEmail("b@x.y", { signal: abort.signal });
    abort.abort();
    expect(await rejection(pending)).toBe("ABORTED");
    expect(lookup.calls.map(({ aborted }) => aborted)).toEqual([false, true]);
  });

  it("answers otherwise once it is set so", async () => {
    const lookup = createFakeLookup({ "a@x.y": { risk_score: 5 } });
    lookup.set("a@x.y", { risk_score: 90 });
    expect((await lookup.lookupEmail("a@x.y")).risk_score).toBe(90);
  });

  it.each([
    { risk_score: 101 },
    { risk_score: Number.NaN },
    { risk_score: "95" },
    { fault: "none" },
    { delayMs: -1 },
    { delayMs: "1" },
    { riskScore: 95 },
    { score: 95 },
    { risk_scores: 95 },
    { delay_ms: 5 },
    { delay: 5 },
    { faults: "network" },
  ])("refuses the answer %j", (answer) => {
    const make = () => createFakeLookup({ "a@x.y": answer as { risk_score: number } });
    expect(make).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });

  it("answers with every other member as it is", async () => {
    const lookup = createFakeLookup({ "a@x.y": { is_disposable: true, note: "new" } });
    expect(await lookup.lookupEmail("a@x.y")).toMatchObject({ is_disposable: true, note: "new" });
  });

  it.each([
    ["a misspelled option", { inmemory: true }, "did you mean `inMemory`?"],
    ["text for inMemory", { inMemory: "yes" }, "`inMemory` must be true or false"],
    ["an answer that is not an object", { otherwise: 5 }, "an answer must be an object, given 5"],
  ])("refuses %s", (_, options, message) => {
    expect(() => createFakeLookup({}, options as FakeLookupOptions)).toThrow(message);
  });
});
