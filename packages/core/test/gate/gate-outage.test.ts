import { describe, expect, it } from "vitest";
import type { Decision } from "../../src/model/decision.js";
import { createGate, type Gate } from "../../src/gate/gate.js";
import type { GateOptions } from "../../src/gate/steps.js";
import type { RiskGateError } from "../../src/base/errors.js";
import type { RiskClientOptions } from "../../src/lookup/client-options.js";
import type { RiskClient } from "../../src/lookup/client.js";
import { caught } from "../support/caught.js";
import { openClient } from "../support/open-client.js";
import {
  answering,
  type Behaviour,
  jsonResponse,
  response,
  silent,
  startUpstream,
} from "../support/raw-upstream.js";

const IP = "8.8.8.8";
const bad = answering(jsonResponse({ risk_score: 95 }));
const good = answering(jsonResponse({ risk_score: 5 }));
const refusing = (status: number, seconds: number): Behaviour =>
  answering(response(status, "", { "retry-after": String(seconds) }));

/** A gate with much time over a client with more, whose clock can be put forward. */
function gateOver(
  service: { url: string },
  options: Partial<GateOptions> = {},
  clientOptions: Partial<RiskClientOptions> = {},
): { client: RiskClient; gate: Gate; forward: (ms: number) => void } {
  let offsetMs = 0;
  const client = openClient(service, {
    timeoutMs: 60_000,
    now: () => performance.now() + offsetMs,
    ...clientOptions,
  });
  const gate = createGate({ lookup: client, onError: () => {}, budgetMs: 20_000, ...options });
  return { client, gate, forward: (ms) => void (offsetMs += ms) };
}

/** A `fetch` whose requests are sent at once, and answered when the test says so. */
function openFetch(): { fetch: typeof fetch; answers: ((response: Response) => void)[] } {
  const answers: ((response: Response) => void)[] = [];
  return { answers, fetch: () => new Promise((resolve) => answers.push(resolve)) };
}

const service = { url: "https://risk.example" };
const scoring = (score: number): Response => new Response(JSON.stringify({ risk_score: score }));

const resetting: Behaviour = (socket) => socket.resetAndDestroy();

describe("a gate whose service is in trouble", () => {
  it.each<[string, Behaviour]>([
    ["hangs", silent],
    ["hangs after its head", (socket) => void socket.write("HTTP/1.1 200 X\r\n\r\n")],
    ["resets", resetting],
    ["answers 429", refusing(429, 1)],
    ["answers 503 and no end", (socket) => void socket.write("HTTP/1.1 503 X\r\n\r\n")],
    ["answers 404", answering(response(404))],
  ])("rejects what was last bad while it %s", async (_, trouble) => {
    const upstream = await startUpstream(bad);
    const { client, gate, forward } = gateOver(upstream, { budgetMs: 150 });
    expect((await client.lookupEmail("eve@x.y")).risk_score).toBe(95);
    forward(60_001);
    upstream.behave = trouble;
    expect(await gate.decide({ email: "eve@x.y" })).toMatchObject({
      outcome: "reject",
      score: 95,
      email: { state: "scored", source: "stale" },
    });
  });

  it("asks no more after ten calls that were given up for time", async () => {
    const { fetch, answers } = openFetch();
    const breaker = { failures: 10, coolDownMs: 60_000 };
    const { gate } = gateOver(service, { budgetMs: 50 }, { fetch, breaker });
    const decide = (from: number): Promise<Decision[]> =>
      Promise.all(Array.from({ length: 10 }, (__, n) => gate.decide({ ip: `8.8.${from}.${n}` })));
    await decide(1);
    expect(answers).toHaveLength(10);
    for (const { ip } of await decide(2)) expect(ip).toMatchObject({ fault: "timeout" });
    expect(answers).toHaveLength(10);
  });

  it("asks no more for what waits in the queue when the breaker opens", async () => {
    const { fetch, answers } = openFetch();
    const breaker = { failures: 1, coolDownMs: 60_000 };
    const { client, gate } = gateOver(
      service,
      { budgetMs: 50 },
      { fetch, breaker, maxConnections: 1 },
    );
    const first = gate.decide({ ip: "8.8.1.1" });
    const queued = Array.from({ length: 6000 }, (_, n) =>
      client.lookupEmail(`${n}@x.y`).catch(({ code }: RiskGateError) => code),
    );
    expect((await first).ip).toMatchObject({ fault: "timeout" });
    expect(new Set(await Promise.all(queued))).toEqual(new Set(["TIMEOUT"]));
    expect(answers).toHaveLength(1);
  });

  it.each([
    [429, "rate_limited"],
    [503, "server"],
  ] as const)("says what a %d with Retry-After means: %s", async (status, fault) => {
    const upstream = await startUpstream(refusing(status, 30));
    const { gate } = gateOver(upstream, { whenUnavailable: { [fault]: "reject" } });
    const decision = await gate.decide({ ip: IP });
    expect(decision).toMatchObject({ outcome: "reject", ip: { state: "failed", fault } });
    expect(upstream.requests).toHaveLength(1);
  });

  it("says what a 429 means that is cut in its body", async () => {
    const head = "HTTP/1.1 429 X\r\nretry-after: 30\r\ncontent-length: 9\r\n\r\n{";
    const upstream = await startUpstream((socket) => {
      socket.write(head, () => socket.resetAndDestroy());
    });
    const { gate } = gateOver(upstream);
    expect((await gate.decide({ ip: IP })).ip).toMatchObject({ fault: "rate_limited" });
    expect(upstream.requests).toHaveLength(1);
  });

  it("keeps the cause that came first when the second request hangs", async () => {
    const { fetch, answers } = openFetch();
    const { gate } = gateOver(service, { budgetMs: 300 }, { fetch });
    const deciding = gate.decide({ ip: IP });
    answers[0]?.(new Response("", { status: 503 }));
    expect((await deciding).ip).toMatchObject({ fault: "server" });
  });

  it.each([429, 503])("does not ask before the time that a %d names", async (status) => {
    const upstream = await startUpstream(refusing(status, 60));
    const { gate, forward } = gateOver(upstream);
    await gate.decide({ ip: IP });
    forward(50_000);
    upstream.behave = good;
    expect((await gate.decide({ ip: IP })).because).toBe("unavailable");
    expect((await gate.decide({ ip: "8.8.4.4", email: "a@x.y" })).because).toBe("unavailable");
    expect(upstream.requests).toHaveLength(1);
    forward(10_001);
    expect((await gate.decide({ ip: IP })).score).toBe(5);
  });

  it.each([403, 404, 405, 410, 414, 431, 451])(
    "takes %d, which the identifier alone can cause, for unreadable",
    async (status) => {
      const { gate } = gateOver(await startUpstream(answering(response(status))));
      const decision = await gate.decide({ email: "a/b@x.y" });
      expect(decision).toMatchObject({ outcome: "flag", email: { fault: "unreadable" } });
    },
  );

  it.each([
    [401, "unauthorized"],
    [408, "server"],
    [425, "server"],
    [429, "rate_limited"],
    [500, "server"],
  ])("takes %d for %s", async (status, fault) => {
    const { gate } = gateOver(await startUpstream(answering(response(status))));
    expect((await gate.decide({ ip: IP })).ip).toMatchObject({ fault });
  });
});

describe("a call that a gate and others share", () => {
  const breaker = { failures: 2, coolDownMs: 60_000 };

  it("lets the gate go in time, goes on, and counts once", async () => {
    const { fetch, answers } = openFetch();
    const { client, gate } = gateOver(service, { budgetMs: 50 }, { fetch, breaker });
    const patient = client.lookupIp(IP);
    const decisions = await Promise.all([1, 2, 3].map(() => gate.decide({ ip: IP })));
    for (const { ip } of decisions) expect(ip).toMatchObject({ fault: "timeout" });
    // Three callers gave up one call: that is one failure, and the breaker opens after two.
    const other = client.lookupIp("8.8.4.4");
    expect(answers).toHaveLength(2);
    answers[0]?.(scoring(7));
    answers[1]?.(scoring(5));
    expect([await patient, await other].map(({ risk_score }) => risk_score)).toEqual([7, 5]);
  });

  it("gives the gate what is stale, and the others the answer", async () => {
    const { fetch, answers } = openFetch();
    const { client, gate, forward } = gateOver(service, { budgetMs: 50 }, { fetch });
    const before = client.lookupIp(IP);
    answers[0]?.(scoring(95));
    await before;
    forward(60_001);
    const patient = client.lookupIp(IP);
    expect(await gate.decide({ ip: IP })).toMatchObject({ score: 95, ip: { source: "stale" } });
    answers[1]?.(scoring(7));
    expect((await patient).risk_score).toBe(7);
  });

  it("has time for a caller that comes later and can wait for longer", async () => {
    const { fetch, answers } = openFetch();
    const { client, gate } = gateOver(service, { budgetMs: 50 }, { fetch, breaker });
    const deciding = gate.decide({ ip: IP });
    const patient = client.lookupIp(IP);
    expect((await deciding).ip).toMatchObject({ fault: "timeout" });
    answers[0]?.(scoring(7));
    expect((await patient).risk_score).toBe(7);
  });

  it("ends with the last of them", async () => {
    let ended = 0;
    const fetch: typeof globalThis.fetch = (_, init) => {
      init?.signal?.addEventListener("abort", () => ended++);
      return new Promise(() => {});
    };
    const { gate } = gateOver(service, { budgetMs: 50 }, { fetch });
    await Promise.all([1, 2, 3].map(() => gate.decide({ ip: IP })));
    expect(ended).toBe(1);
  });

  it("holds up nobody while the breaker is open", async () => {
    const { fetch, answers } = openFetch();
    const { client, gate } = gateOver(service, { budgetMs: 50 }, { fetch, breaker });
    const patient = client.lookupIp(IP).catch(({ code }: RiskGateError) => code);
    await Promise.all([gate.decide({ ip: "8.8.1.1" }), gate.decide({ ip: "8.8.1.2" })]);
    expect((await caught(client.lookupIp(IP))).code).toBe("TIMEOUT");
    expect(answers).toHaveLength(3);
    await client.close();
    expect(await patient).toBe("ABORTED");
  });

  it("takes no notice of a time that is no time", async () => {
    const { fetch, answers } = openFetch();
    const { client } = gateOver(service, {}, { fetch });
    const times = [undefined, NaN, Infinity, 2 ** 31, "1" as never, null as never];
    const found = times.map((timeoutMs) => client.lookupIp(IP, { timeoutMs: timeoutMs as number }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    answers[0]?.(scoring(7));
    for (const { risk_score: score } of await Promise.all(found)) expect(score).toBe(7);
  });
});
