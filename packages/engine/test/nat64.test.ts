import { describe, expect, it, onTestFinished } from "vitest";
import { createEngine } from "../src/engine.js";
import { createMemoryLedger } from "../src/ledger/memory-ledger.js";

const SPELLINGS = ["64:ff9b::8.8.8.8", "64:FF9B::808:808", "64:ff9b:0:0::808:808"];

async function open(options: Parameters<typeof createEngine>[0]) {
  const engine = await createEngine(options);
  onTestFinished(() => engine.close());
  return engine;
}

// All clients behind NAT64 gateways share 64:ff9b::/96, and so a single /64.
describe("an address behind a NAT64 gateway", () => {
  it.each(SPELLINGS)("is scored as its IPv4 address: %s", async (ip) => {
    const engine = await open({ feeds: [{ kind: "tor", entries: ["8.8.8.8"] }] });
    const { risk_score: score } = await engine.lookupIp("8.8.8.8");
    expect(score).toBeGreaterThan(0);
    expect(await engine.lookupIp(ip)).toMatchObject({
      ip: "64:ff9b::808:808",
      ip_version: 6,
      is_tor: true,
      risk_score: score,
    });
    expect(engine.explainIp(ip).assessment).toMatchObject({ is_tor: true, risk_score: score });
    expect(await engine.lookupIp("64:ff9b::8.8.4.4")).toMatchObject({ is_tor: false });
    expect(await engine.lookupIp("64:ff9b::10.0.0.1")).toMatchObject({ is_private: true });
  });

  it.each([64, 128] as const)("has its own history, with prefixes of %i bits", async (prefix) => {
    const ledger = createMemoryLedger({ ipv6Prefix: prefix });
    const engine = await open({ ledger });
    for (const ip of [...SPELLINGS, ...SPELLINGS]) ledger.record({ ip, highRisk: true });
    expect(ledger.size().ips).toBe(1);
    for (const ip of ["8.8.8.8", ...SPELLINGS]) {
      expect(await engine.lookupIp(ip)).toMatchObject({ security_events_count: 6 });
    }
    for (const ip of ["8.8.4.4", "64:ff9b::8.8.4.4"]) {
      expect(await engine.lookupIp(ip)).toMatchObject({ security_events_count: 0, risk_score: 0 });
    }
    expect(ledger.ipHistory("64:ff9b::808:808")).toEqual(ledger.ipHistory("8.8.8.8"));
    ledger.erase({ ip: "64:ff9b::8.8.8.8" });
    expect(ledger.size().ips).toBe(0);
  });
});
