import { describe, expect, it } from "vitest";
import { createMemoryLedger } from "../src/memory-ledger.js";

describe("createMemoryLedger", () => {
  it("counts events of an address in any spelling", () => {
    const ledger = createMemoryLedger();
    ledger.record({ ip: "::ffff:8.8.8.8" });
    ledger.record({ ip: "8.8.8.8", highRisk: true });
    expect(ledger.ipHistory("8.8.8.8")).toEqual({
      is_known_attacker: true,
      security_events_count: 2,
      high_risk_security_events_count: 1,
    });
    expect(ledger.ipHistory("8.8.4.4")).toBeUndefined();
  });

  it("counts events of an account whatever the case of its domain", () => {
    const ledger = createMemoryLedger();
    ledger.record({ email: "Ann@EXAMPLE.com" });
    ledger.record({ email: "Ann@example.com" });
    expect(ledger.emailHistory("Ann@example.com")).toEqual({
      is_known_attacker: false,
      security_events_count: 2,
      high_risk_security_events_count: 0,
    });
    expect(ledger.emailHistory("ann@example.com")).toBeUndefined();
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

  it.each([0, -1, 1.5, Number.NaN])("refuses a size of %s", (maxEntries) => {
    expect(() => createMemoryLedger({ maxEntries })).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
  });
});
