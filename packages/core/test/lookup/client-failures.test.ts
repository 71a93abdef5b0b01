import { describe, expect, it } from "vitest";
import { isStale } from "../../src/lookup/stale-answer.js";
import type { RiskClientOptions } from "../../src/lookup/client-options.js";
import { caught } from "../support/caught.js";
import { openClient } from "../support/open-client.js";
import {
  answering,
  type Behaviour,
  jsonResponse,
  type RawUpstream,
  response,
  silent,
  startUpstream,
} from "../support/raw-upstream.js";

const IP = "1.2.3.4";
const good = answering(jsonResponse({ risk_score: 7 }));
const json = { "content-type": "application/json" };

/** A client whose clock the test sets. */
async function open(behave: Behaviour, options: Partial<RiskClientOptions> = {}) {
  const upstream: RawUpstream = await startUpstream(behave);
  const clock = { nowMs: 0 };
  const client = openClient(upstream, { retries: 0, now: () => clock.nowMs, ...options });
  return { upstream, client, clock };
}

describe("a lookup that failed", () => {
  it.each([
    ["UPSTREAM_STATUS", response(503)],
    ["UPSTREAM_STATUS", response(404)],
    ["UNAUTHORIZED", response(401)],
    ["BAD_REQUEST", response(400)],
    ["RATE_LIMITED", response(429)],
    ["REDIRECT_REFUSED", response(302, "", { location: "/" })],
    ["INVALID_RESPONSE", response(200, "[]", json)],
  ])("is asked for once a second for each identifier: %s", async (code, bytes) => {
    const { upstream, client, clock } = await open(answering(bytes), { breaker: false });
    for (let second = 0; second < 3; second++) {
      for (let asked = 0; asked < 5; asked++) {
        expect((await caught(client.lookupIp(IP))).code).toBe(code);
        expect((await caught(client.lookupIp("::ffff:1.2.3.4"))).code).toBe(code);
        clock.nowMs += 100;
      }
      clock.nowMs += 500;
    }
    expect(upstream.requests).toHaveLength(3);
    expect((await caught(client.lookupIp("1.2.3.5"))).code).toBe(code);
    expect(upstream.requests).toHaveLength(4);
  });

  it("is asked for each time without a cache, or with `failureTtlMs` 0", async () => {
    for (const cache of [false, { failureTtlMs: 0 }] as const) {
      const { upstream, client } = await open(answering(response(404)), { cache });
      for (let asked = 0; asked < 3; asked++) await caught(client.lookupIp(IP));
      expect(upstream.requests).toHaveLength(3);
    }
  });

  it("opens the breaker as before, and tells nothing of its pauses", async () => {
    const { upstream, client, clock } = await open(answering(response(503)));
    for (clock.nowMs = 0; clock.nowMs <= 2000; clock.nowMs += 1000) {
      await caught(client.lookupIp(IP));
    }
    expect(upstream.requests).toHaveLength(3);
    clock.nowMs = 2500;
    // Refused without a request, so the trial call that follows is not delayed.
    expect((await caught(client.lookupIp("1.2.3.5"))).message).toContain("no request sent");
    clock.nowMs = 3000;
    upstream.behave = good;
    expect((await client.lookupIp("1.2.3.5")).risk_score).toBe(7);
  });

  it("gives way to a stale answer", async () => {
    const cache = { ttlMs: 100 };
    const { upstream, client, clock } = await open(good, { cache });
    await client.lookupIp(IP);
    clock.nowMs = 200;
    upstream.behave = answering(response(503));
    expect(isStale(await client.lookupIp(IP))).toBe(true);
    expect(isStale(await client.lookupIp(IP))).toBe(true);
    expect(upstream.requests).toHaveLength(2);
  });

  it("is not remembered for a caller that left", async () => {
    const { upstream, client } = await open(silent);
    const controller = new AbortController();
    const left = caught(client.lookupIp(IP, { signal: controller.signal }));
    controller.abort();
    expect((await left).code).toBe("ABORTED");
    upstream.behave = good;
    expect((await client.lookupIp(IP)).risk_score).toBe(7);
  });

  it("by an impatient caller is asked for again by a patient one", async () => {
    const { upstream, client } = await open(silent, { breaker: false });
    expect((await caught(client.lookupIp(IP, { timeoutMs: 20 }))).code).toBe("TIMEOUT");
    expect((await caught(client.lookupIp(IP, { timeoutMs: 20 }))).code).toBe("TIMEOUT");
    expect(upstream.requests).toHaveLength(1);
    upstream.behave = good;
    expect((await client.lookupIp(IP, { timeoutMs: 5000 })).risk_score).toBe(7);
    expect((await client.lookupIp(IP, { timeoutMs: 20 })).risk_score).toBe(7);
  });
});
