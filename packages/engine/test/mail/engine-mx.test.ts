import { createGate } from "@riskgate/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { createEngine } from "../../src/engine.js";
import type { MxOptions } from "../../src/mail/mx-options.js";
import { mx, serveDns, type Zone } from "../support/dns-server.js";

const ZONE: Zone = {
  "mail.test": [mx("mail.test", "mx.mail.test")],
  "null.test": [mx("null.test", ".")],
  "broken.test": "SERVFAIL",
};
const LONG_MS = 30_000;

async function engineOver(options: MxOptions = {}, held = false) {
  const server = await serveDns(ZONE, { held });
  const engine = await createEngine({
    mx: { timeoutMs: LONG_MS, servers: server.servers, ...options },
  });
  onTestFinished(() => engine.close());
  return { engine, server };
}

describe("an engine with the option `mx`", () => {
  it.each([
    ["ada@mail.test", 0, false],
    ["ada@null.test", 60, true],
    ["ada@missing.test", 60, true],
    ["ada@broken.test", 0, undefined],
    ["no domain", 60, undefined],
  ])("assesses %s", async (email, score, undeliverable) => {
    const { engine } = await engineOver();
    const { risk_score, is_undeliverable } = await engine.lookupEmail(email);
    expect([risk_score, is_undeliverable]).toEqual([score, undeliverable]);
  });

  it("peeks only what DNS has said", async () => {
    const { engine } = await engineOver();
    expect(engine.peekEmail("ada@null.test")).toBeUndefined();
    await engine.lookupEmail("eve@NULL.test");
    expect(engine.peekEmail("ada@null.test")?.assessment.risk_score).toBe(60);
    expect(engine.peekEmail("")).toBeUndefined();
  });

  it("explains the signal", async () => {
    const { engine } = await engineOver({});
    await engine.lookupEmail("ada@null.test");
    expect(engine.explainEmail("ada@null.test").signals).toEqual([
      { name: "no_mail", weight: 60, adds: 60, source: "DNS", detail: "null MX (RFC 7505)" },
    ]);
  });

  it("keeps what DNS has said over a reload", async () => {
    const { engine, server } = await engineOver();
    await engine.lookupEmail("ada@mail.test");
    await engine.reload();
    await engine.lookupEmail("ada@mail.test");
    expect(server.asked).toEqual(["MX mail.test"]);
  });

  it("gives a gate the other signals when DNS takes longer than its budget", async () => {
    const { engine } = await engineOver({}, true);
    const gate = createGate({ lookup: engine, budgetMs: 1_000 });
    expect((await gate.decide({ email: "ada@null.test" })).email.state).toBe("scored");
  });

  it("ends the wait of a caller with its signal", async () => {
    const { engine, server } = await engineOver({}, true);
    const controller = new AbortController();
    const lookup = engine.lookupEmail("ada@null.test", { signal: controller.signal });
    const ended = lookup.catch((error: unknown) => error);
    await expect.poll(() => server.asked).toHaveLength(1);
    controller.abort();
    expect(await ended).toMatchObject({ code: "ABORTED" });
  });

  it("ends the wait when it is closed", async () => {
    const { engine, server } = await engineOver({}, true);
    const ended = engine.lookupEmail("ada@null.test").catch((error: unknown) => error);
    await expect.poll(() => server.asked).toHaveLength(1);
    await engine.close();
    expect(await ended).toMatchObject({ code: "ABORTED" });
  });

  it("refuses what cannot be looked up without asking", async () => {
    const { engine, server } = await engineOver();
    await expect(engine.lookupEmail("")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(server.asked).toEqual([]);
  });

  it.each<[string, unknown]>([
    ["true", true],
    ["null", null],
    ["a time of 0", { timeoutMs: 0 }],
    ["an unknown option", { timeout: 5 }],
    ["a server that is no address", { servers: ["dns.example"] }],
    ["no server", { servers: [] }],
  ])("refuses %s", async (_, option) => {
    const making = createEngine({ mx: option as MxOptions });
    await expect(making).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });
});

describe("an engine without it", () => {
  it.each([undefined, false as const])("asks nothing (%j)", async (option) => {
    const engine = await createEngine(option === undefined ? {} : { mx: option });
    const { assessment } = engine.peekEmail("ada@missing.invalid")!;
    expect(assessment).not.toHaveProperty("is_undeliverable");
    expect(assessment.risk_score).toBe(0);
  });
});
