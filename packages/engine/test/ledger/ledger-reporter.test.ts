import type { RiskGateError } from "@riskgate/core";
import { describe, expect, it } from "vitest";
import { createLedgerReporter } from "../../src/ledger/ledger-reporter.js";
import { createMemoryLedger } from "../../src/ledger/memory-ledger.js";

function stage() {
  const ledger = createMemoryLedger();
  const errors: RiskGateError[] = [];
  const onDrop = ({ error }: { error: RiskGateError }) => errors.push(error);
  return { ledger, errors, reporter: createLedgerReporter({ ledger, onDrop }) };
}

describe("a reporter of a ledger", () => {
  it("counts events for their address and account", () => {
    const { ledger, reporter } = stage();
    reporter.event({ kind: "sql_injection", address: "203.0.113.7", account: "Eve@Example.com" });
    expect(ledger.ipHistory("203.0.113.7")).toMatchObject({ is_known_attacker: true });
    expect(ledger.emailHistory("eve@example.com")).toMatchObject({ is_known_attacker: true });
    expect(reporter.stats()).toMatchObject({ accepted: 1, queued: 0 });
  });

  it("does not take the account that is attacked for an attacker", () => {
    const { ledger, reporter } = stage();
    reporter.event({ kind: "auth_bruteforce", address: "203.0.113.7", account: "ann@example.com" });
    expect(ledger.ipHistory("203.0.113.7")).toMatchObject({ is_known_attacker: true });
    expect(ledger.emailHistory("ann@example.com")).toMatchObject({
      is_known_attacker: false,
      security_events_count: 1,
    });
  });

  it("counts an event once", () => {
    const { ledger, reporter } = stage();
    for (let n = 0; n < 3; n++) reporter.event({ kind: "xss", id: "one", address: "203.0.113.7" });
    expect(ledger.ipHistory("203.0.113.7")).toMatchObject({ security_events_count: 1 });
    expect(reporter.stats()).toMatchObject({ accepted: 1, duplicates: 2 });
  });

  it("sees an address that fails on ten accounts within ten minutes", () => {
    const { ledger, reporter } = stage();
    const start = Date.now() - 3_600_000;
    const fail = (address: string, n: number, minute = 0) =>
      reporter.login({
        account: `user-${n}@example.com`,
        address,
        success: false,
        at: new Date(start + minute * 60_000),
      });
    for (let n = 0; n < 10; n++) fail("203.0.113.1", n);
    for (let n = 0; n < 30; n++) fail("203.0.113.2", n % 9);
    for (let n = 0; n < 30; n++) fail("203.0.113.3", n, 2 * n);
    expect(ledger.ipHistory("203.0.113.1")).toMatchObject({
      security_events_count: 1,
      is_known_attacker: false,
    });
    expect(ledger.ipHistory("203.0.113.2")).toBeUndefined();
    expect(ledger.ipHistory("203.0.113.3")).toBeUndefined();
    expect(reporter.stats()).toMatchObject({ accepted: 70 });
  });

  it("does not take people behind one address for a scan", () => {
    const { ledger, reporter } = stage();
    const login = (n: number, success: boolean, members: { crossSite?: boolean } = {}) =>
      reporter.login({
        account: `user-${n}@example.com`,
        address: "203.0.113.1",
        success,
        ...members,
      });
    // Each mistypes once, and then has the right password.
    for (let n = 0; n < 200; n++) {
      login(n, false);
      login(n, true);
    }
    // Some never have it; they are few among the others.
    for (let n = 200; n < 230; n++) login(n, false);
    expect(ledger.ipHistory("203.0.113.1")).toBeUndefined();
    for (let n = 230; n < 300; n++) login(n, false, { crossSite: true });
    expect(ledger.ipHistory("203.0.113.1")).toBeUndefined();
    for (let n = 230; n < 300; n++) login(n, false);
    expect(ledger.ipHistory("203.0.113.1")).toMatchObject({ is_known_attacker: false });
  });

  it("does not take people for attackers who log in where somebody else fails", () => {
    const { ledger, reporter } = stage();
    const address = "203.0.113.1";
    const login = (account: string, success: boolean) =>
      reporter.login({ account, address, success });
    for (let n = 0; n < 9; n++) login(`typo-${n}@example.com`, false);
    for (let n = 0; n < 9; n++) login(`typo-${n}@example.com`, true);
    expect(ledger.ipHistory(address)).toBeUndefined();
    for (let n = 0; n < 12; n++) login(`nobody-${n}@example.com`, false);
    const scanned = { security_events_count: 1, is_known_attacker: false };
    expect(ledger.ipHistory(address)).toMatchObject(scanned);
    for (let n = 0; n < 400; n++) login(`person-${n}@example.com`, true);
    for (let n = 0; n < 12; n++) login(`nobody-${n}@example.com`, false);
    expect(ledger.ipHistory(address)).toMatchObject(scanned);
    expect(ledger.emailHistory("person-7@example.com")).toBeUndefined();
  });

  it("tells of bad reports, and of a ledger that fails, and never throws", async () => {
    const { errors, reporter } = stage();
    reporter.event({ kind: "unheard-of" as "xss" });
    reporter.count("http2xx" as "http4xx");
    expect(reporter.stats()).toMatchObject({ refused: 2, accepted: 0 });
    expect(errors.map(({ code }) => code)).toEqual(["INVALID_ARGUMENT"]);

    const told: string[] = [];
    const broken = createLedgerReporter({
      ledger: {
        record() {
          throw new Error("told to fail");
        },
        ipHistory: () => undefined,
        emailHistory: () => undefined,
        save: async () => Promise.reject(new Error("told to fail")),
      },
      onDrop: ({ error }) => told.push(error.code),
    });
    broken.event({ kind: "xss", address: "203.0.113.7" });
    expect(broken.stats()).toMatchObject({ dropped: 1 });
    await broken.close();
    expect(told).toEqual(["STORE_FAILED", "STORE_FAILED"]);
  });

  it("counts what has no use without a service", () => {
    const { reporter } = stage();
    reporter.count("http4xx", 3);
    expect(reporter.stats().counts).toEqual({ queued: 0, accepted: 3, dropped: 0 });
  });

  it("needs a ledger", () => {
    expect(() => createLedgerReporter({} as never)).toThrow(/`ledger` must be a ledger/);
  });
});
