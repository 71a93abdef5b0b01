import { describe, expect, it } from "vitest";
import { createEngine } from "../../src/engine.js";
import type { LedgerEvent } from "../../src/ledger/ledger.js";
import {
  createMemoryLedger,
  type MemoryLedger,
  type MemoryLedgerOptions,
} from "../../src/ledger/memory-ledger.js";

const DAY_MS = 86_400_000;

/** A ledger whose time passes when it is told to; it begins where a period begins. */
function clocked(options: MemoryLedgerOptions = {}): {
  ledger: MemoryLedger;
  wait: (ms: number) => void;
  nowMs: () => number;
} {
  let nowMs = 73_000 * DAY_MS;
  const ledger = createMemoryLedger({ now: () => nowMs, ...options });
  return {
    ledger,
    wait: (ms) => {
      nowMs += ms;
    },
    nowMs: () => nowMs,
  };
}

describe("createMemoryLedger", () => {
  it("counts events of an address in any spelling", () => {
    const ledger = createMemoryLedger();
    ledger.record({ ip: "::ffff:8.8.8.8" });
    ledger.record({ ip: "8.8.8.8", highRisk: true });
    expect(ledger.ipHistory("8.8.8.8")).toMatchObject({
      is_known_attacker: true,
      security_events_count: 2,
      high_risk_security_events_count: 1,
    });
    expect(ledger.ipHistory("8.8.4.4")).toBeUndefined();
  });

  it("counts events of an account in every spelling of its mailbox", () => {
    const ledger = createMemoryLedger();
    ledger.record({ email: "Ann@EXAMPLE.com." });
    ledger.record({ email: "ann+shop@example.com" });
    expect(ledger.replay([{ email: " ANN@example.com" }])).toBe(1);
    for (const email of ["Ann@example.com", "ann@example.com", "<ANN+1@example.com>"]) {
      expect(ledger.emailHistory(email)).toMatchObject({
        is_known_attacker: false,
        security_events_count: 3,
        high_risk_security_events_count: 0,
      });
    }
    expect(ledger.erase({ email: "a\u200bnn@example.com" })).toBe(true);
    expect(ledger.emailHistory("ann@example.com")).toBeUndefined();
  });

  it("brings no history upon a mailbox that another text names beside its own", () => {
    const ledger = createMemoryLedger();
    ledger.record({ email: "<victim@x.com>@evil.example", highRisk: true });
    expect(ledger.emailHistory("victim@x.com")).toBeUndefined();
  });

  it("finds the worst history of the mailboxes that a text may name", () => {
    const ledger = createMemoryLedger();
    for (let count = 0; count < 9; count++) ledger.record({ email: "ann@x.com" });
    ledger.record({ email: "eve@x.com", highRisk: true });
    for (const email of [
      "ann@x.com, eve@x.com",
      "eve@x.com b@y.example ann@x.com",
      "eve@[x.com]",
    ]) {
      expect(ledger.emailHistory(email)).toMatchObject({ is_known_attacker: true });
    }
    expect(ledger.emailHistory("b@y.example, c@y.example")).toBeUndefined();
  });

  it("takes each spelling for another account without the rules of providers", () => {
    const ledger = createMemoryLedger({ providerRules: false });
    ledger.record({ email: "Ann@example.com" });
    expect(ledger.emailHistory("ann@EXAMPLE.com")?.security_events_count).toBe(1);
    expect(ledger.emailHistory("ann+1@example.com")).toBeUndefined();
  });

  it("stays an attacker after harmless events", () => {
    const ledger = createMemoryLedger();
    ledger.record({ ip: "8.8.8.8", highRisk: true });
    ledger.record({ ip: "8.8.8.8" });
    expect(ledger.ipHistory("8.8.8.8")?.is_known_attacker).toBe(true);
  });

  it("forgets what has been quiet for longest when it is full", () => {
    const ledger = createMemoryLedger({ maxEntries: 2 });
    for (const ip of ["1.1.1.1", "2.2.2.2", "1.1.1.1", "3.3.3.3"]) ledger.record({ ip });
    expect(ledger.ipHistory("2.2.2.2")).toBeUndefined();
    expect(ledger.ipHistory("1.1.1.1")?.security_events_count).toBe(2);
    expect(ledger.ipHistory("3.3.3.3")?.security_events_count).toBe(1);
  });

  it("records nothing of an event whose address is none", () => {
    const ledger = createMemoryLedger();
    expect(() => ledger.record({ ip: "nowhere", email: "ann@example.com" })).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT" }),
    );
    expect(ledger.emailHistory("ann@example.com")).toBeUndefined();
  });

  it.each([
    ["maxEntries", 0],
    ["maxEntries", 1.5],
    ["halfLifeMs", Number.NaN],
    ["halfLifeMs", -1],
    ["retentionMs", "1"],
    ["ipv6Prefix", 48],
    ["now", 5],
    ["maxEntry", 5],
  ])("refuses %s of %s", (name, value) => {
    expect(() => createMemoryLedger({ [name]: value })).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
  });

  it.each<[string, unknown]>([
    ["an account that is no text", { email: 5 }],
    ["a time that is none", { ip: "8.8.8.8", occurredAtMs: Number.NaN }],
    ["a time before 1970", { ip: "8.8.8.8", occurredAtMs: -1 }],
  ])("refuses %s", (_label, event) => {
    const ledger = createMemoryLedger();
    expect(() => ledger.record(event as LedgerEvent)).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT" }),
    );
    expect(ledger.ipHistory("8.8.8.8")).toBeUndefined();
  });

  it("lets events lose half of their weight in each half-life", () => {
    const { ledger, wait } = clocked({ halfLifeMs: 10 * DAY_MS });
    ledger.record({ ip: "8.8.8.8", highRisk: true });
    ledger.record({ ip: "8.8.8.8" });
    const weight = () => ledger.ipHistory("8.8.8.8")!.weight;
    expect(weight()).toBe(6);
    wait(10 * DAY_MS);
    expect(weight()).toBe(3);
    wait(10 * DAY_MS);
    expect(weight()).toBe(1.5);
  });

  it("calls an attacker known for two half-lives after one event, and longer after more", () => {
    const { ledger, wait } = clocked();
    ledger.record({ ip: "1.1.1.1", highRisk: true });
    for (let event = 0; event < 4; event++) ledger.record({ ip: "4.4.4.4", highRisk: true });
    const known = () => ["1.1.1.1", "4.4.4.4"].map((ip) => ledger.ipHistory(ip)?.is_known_attacker);
    wait(60 * DAY_MS);
    expect(known()).toEqual([true, true]);
    wait(1);
    expect(known()).toEqual([false, true]);
    wait(60 * DAY_MS);
    expect(known()).toEqual([false, false]);
    expect(ledger.ipHistory("4.4.4.4")?.high_risk_security_events_count).toBe(4);
  });

  it("forgets each event by the end of the retention, and at most 2 % sooner", () => {
    const { ledger, wait } = clocked({ retentionMs: 100 * DAY_MS });
    const count = () => ledger.ipHistory("8.8.8.8")?.security_events_count;
    ledger.record({ ip: "8.8.8.8" });
    wait(50 * DAY_MS);
    ledger.record({ ip: "8.8.8.8" });
    wait(48 * DAY_MS - 1);
    expect(count()).toBe(2);
    wait(2 * DAY_MS + 1);
    expect(count()).toBe(1);
    wait(50 * DAY_MS);
    expect(count()).toBeUndefined();
  });

  it("takes events from a database in any order, and passes over those past the retention", () => {
    const { ledger, nowMs } = clocked();
    const ago = (days: number) => ({
      ip: "8.8.8.8",
      email: "ann@example.com",
      occurredAtMs: nowMs() - days * DAY_MS,
    });
    expect(ledger.replay([ago(30), ago(400), ago(60), ago(-1), ago(30)])).toBe(4);
    expect(ledger.emailHistory("ann@example.com")).toEqual({
      is_known_attacker: false,
      security_events_count: 4,
      high_risk_security_events_count: 0,
      weight: 2.25,
      lastEventAtMs: nowMs(),
    });
  });

  it.each([
    [128, undefined, 1],
    [64, 2, 2],
    ["64 by default", 2, 2],
  ] as const)("counts IPv6 addresses by their first bits: %s", (given, other, one) => {
    const ledger = createMemoryLedger(typeof given === "number" ? { ipv6Prefix: given } : {});
    ledger.record({ ip: "2600:1:2:3::1" });
    ledger.record({ ip: "2600:1:2:3::2" });
    ledger.record({ ip: "8.8.8.8" });
    const count = (ip: string) => ledger.ipHistory(ip)?.security_events_count;
    expect(count("2600:1:2:3:4::5")).toBe(other);
    expect(count("2600:1:2:3::1")).toBe(one);
    expect(count("2600:1:2:4::1")).toBeUndefined();
    expect(count("8.8.8.8")).toBe(1);
    expect(ledger.erase({ ip: "2600:1:2:3::1" })).toBe(true);
    expect(count("2600:1:2:3::1")).toBeUndefined();
  });

  it("erases an address or an account in any spelling, and nobody else", () => {
    const ledger = createMemoryLedger();
    ledger.record({ ip: "8.8.8.8", email: "ann@example.com" });
    ledger.record({ ip: "9.9.9.9", email: "bob@example.com" });
    expect(ledger.erase({ ip: "::ffff:8.8.8.8" })).toBe(true);
    expect(ledger.erase({ ip: "::ffff:8.8.8.8" })).toBe(false);
    expect(ledger.emailHistory("ann@example.com")).toBeDefined();
    expect(ledger.erase({ email: "ann@EXAMPLE.com" })).toBe(true);
    expect(ledger.emailHistory("ann@example.com")).toBeUndefined();
    expect(ledger.ipHistory("9.9.9.9")).toBeDefined();
    expect(() => ledger.erase({ ip: "nobody" })).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT" }),
    );
  });

  it("scores an attack less as it ages", async () => {
    const { ledger, wait } = clocked();
    const engine = await createEngine({ ledger });
    for (let event = 0; event < 2; event++) ledger.record({ ip: "8.8.8.8", highRisk: true });
    const scores = [engine.explainIp("8.8.8.8").score];
    for (let months = 0; months < 6; months++) {
      wait(30 * DAY_MS);
      scores.push(engine.explainIp("8.8.8.8").score);
    }
    expect(scores).toEqual([80, 80, 80, 80, 2, 1, 0]);
  });
});
