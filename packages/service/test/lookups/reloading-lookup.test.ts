import { createEngine } from "@riskgate/engine";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLedgerMemory } from "../../src/intake/ledger-memory.js";
import { createCircuitBreaker } from "../../src/storage/circuit-breaker.js";
import { createReloadingLookup } from "../../src/lookups/reloading-lookup.js";
import type { LedgerEntry } from "../../src/model/subject.js";
import { temporaryStorage } from "../support/temporary-storage.js";

const NOW_MS = 1_700_000_000_000;

const attackOn = (type: "ip" | "account", subject: string, n = 0): LedgerEntry => ({
  type,
  subject,
  applicationId: "shop",
  eventId: `event-${subject}-${n}`,
  occurredAt: NOW_MS * 1000 + n,
  highRisk: true,
});

/** Lookups over a ledger that remembers ten addresses and ten accounts. */
async function openLookups() {
  const { storage } = await temporaryStorage();
  const ledger = createLedgerMemory({ maxEntries: 10, now: () => NOW_MS + 1_000 });
  const engine = await createEngine();
  onTestFinished(() => engine.close());
  const record = async (entries: readonly LedgerEntry[]): Promise<void> => {
    await storage.ledger.record(entries);
    ledger.add(entries);
  };
  let reads = 0;
  let nowMs = 0;
  const database = { isSlow: false, isGone: false };
  const lookups = createReloadingLookup({
    lookup: engine.withLedger(ledger.viewOf("shop")),
    ledger: ledger.viewOf("shop"),
    breaker: createCircuitBreaker(undefined, () => nowMs),
    store: {
      entriesOf(subject, limit, scope) {
        reads++;
        if (database.isSlow) return new Promise(() => {});
        if (database.isGone) return Promise.reject(new Error("gone"));
        return storage.ledger.entriesOf(subject, limit, scope);
      },
    },
  });
  const pass = (ms: number): void => void (nowMs += ms);
  return { lookups, record, database, pass, reads: () => reads };
}

const others = (type: "ip" | "account"): LedgerEntry[] =>
  Array.from({ length: 10 }, (_, n) =>
    attackOn(type, type === "ip" ? `8.8.4.${n}` : `other-${n}@shop.example`),
  );

describe("lookups of a service", () => {
  it("know an attacker again after many others", async () => {
    const { lookups, record } = await openLookups();
    await record([attackOn("ip", "8.8.8.8"), attackOn("ip", "8.8.8.8", 1)]);
    await record([attackOn("account", "eve@shop.example")]);
    await record([...others("ip"), ...others("account")]);
    expect(lookups.peekIp?.("8.8.8.8")).toBeUndefined();
    expect(await lookups.lookupIp("8.8.8.8")).toMatchObject({
      is_known_attacker: true,
      security_events_count: 2,
    });
    expect(await lookups.lookupEmail("eve@SHOP.example")).toMatchObject({
      is_known_attacker: true,
    });
    // From now on they are in memory again.
    expect(lookups.peekIp?.("8.8.8.8")?.assessment.security_events_count).toBe(2);
  });

  it("do not query the database while the ledger is not full", async () => {
    const { lookups, record, reads } = await openLookups();
    await record(others("ip").slice(1));
    expect(lookups.peekIp?.("8.8.8.8")?.assessment.security_events_count).toBe(0);
    await lookups.lookupIp("8.8.8.8");
    expect(reads()).toBe(0);
  });

  it("count nothing twice that several ask for at once", async () => {
    const { lookups, record } = await openLookups();
    await record([attackOn("ip", "8.8.8.8"), ...others("ip")]);
    const answers = await Promise.all([1, 2, 3].map(() => lookups.lookupIp("8.8.8.8")));
    expect(answers.map((one) => one.security_events_count)).toEqual([1, 1, 1]);
  });

  it.each(["isSlow", "isGone"] as const)(
    "answer from memory while the database %s, and do not query it for a while",
    async (trouble) => {
      const { lookups, record, database, pass, reads } = await openLookups();
      await record([attackOn("ip", "8.8.8.8"), ...others("ip")]);
      database[trouble] = true;
      expect((await lookups.lookupIp("8.8.8.8")).security_events_count).toBe(0);
      expect(lookups.peekIp?.("8.8.8.8")).toBeDefined();
      expect(reads()).toBe(1);
      database[trouble] = false;
      pass(5_000);
      expect((await lookups.lookupIp("8.8.8.8")).security_events_count).toBe(1);
    },
  );
});
