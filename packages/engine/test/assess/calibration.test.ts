import { describe, expect, it } from "vitest";
import { createEngine } from "../../src/engine.js";
import type { EngineOptions } from "../../src/engine-options.js";
import type { History, Ledger } from "../../src/ledger/ledger.js";

const history = (all: number, highRisk: number, isAttacker: boolean): History => ({
  is_known_attacker: isAttacker,
  security_events_count: all,
  high_risk_security_events_count: highRisk,
});

/** A ledger that has the same history for everybody. */
const ledgerOf = (of: History): Ledger => ({
  record: () => undefined,
  ipHistory: () => of,
  emailHistory: () => of,
});

const everywhere = ["8.8.8.8"];
const tor = { kind: "tor", entries: everywhere } as const;
const proxy = { kind: "proxy", entries: everywhere } as const;
const vpn = { kind: "vpn", entries: everywhere } as const;
const datacenter = { kind: "datacenter", entries: everywhere } as const;
const attacker = { kind: "attacker", entries: everywhere } as const;

describe("score of an address", () => {
  it.each<[string, number, EngineOptions]>([
    ["nothing known", 0, {}],
    ["a datacenter alone", 5, { feeds: [datacenter] }],
    [
      "an attacker of 2 events in a datacenter",
      85,
      {
        feeds: [datacenter],
        ledger: ledgerOf(history(2, 1, true)),
      },
    ],
    ["an attacker by a feed", 80, { feeds: [attacker] }],
    [
      "an attacker by feed and ledger",
      80,
      {
        feeds: [attacker],
        ledger: ledgerOf(history(15, 3, true)),
      },
    ],
    ["a VPN", 45, { feeds: [vpn] }],
    ["a VPN in a datacenter", 50, { feeds: [vpn, datacenter] }],
    ["a proxy", 50, { feeds: [proxy] }],
    ["a Tor exit", 60, { feeds: [tor] }],
    ["everything a network can be", 65, { feeds: [tor, proxy, vpn, datacenter] }],
    ["one event", 3, { ledger: ledgerOf(history(1, 0, false)) }],
    ["ten events", 20, { ledger: ledgerOf(history(10, 0, false)) }],
    ["a thousand events", 39, { ledger: ledgerOf(history(1000, 0, false)) }],
    [
      "a Tor exit with an attacker",
      100,
      {
        feeds: [tor],
        ledger: ledgerOf(history(2, 1, true)),
      },
    ],
    ["another weight", 7, { feeds: [datacenter], weights: { datacenter: 7 } }],
    ["an allowed address", 0, { feeds: [tor, datacenter], allow: { ips: ["8.8.8.0/24"] } }],
  ])("%s: %d", async (_label, score, options) => {
    const engine = await createEngine(options);
    expect((await engine.lookupIp("8.8.8.8")).risk_score).toBe(score);
    expect(engine.explainIp("8.8.8.8").score).toBe(score);
  });

  it("is 0 for a private address, whatever is known of it", async () => {
    const engine = await createEngine({
      feeds: [{ kind: "tor", entries: ["10.0.0.1"] }],
      ledger: ledgerOf(history(15, 3, true)),
    });
    const { score, signals, assessment } = engine.explainIp("10.0.0.1");
    expect(score).toBe(0);
    expect(signals).toEqual([
      { name: "private", weight: 0, adds: 0, source: "IANA", detail: "not globally reachable" },
    ]);
    expect(assessment).toMatchObject({ is_private: true, is_tor: true, is_known_attacker: true });
  });
});

describe("score of an email", () => {
  it.each<[string, string, number, EngineOptions]>([
    ["nothing known", "ann@example.com", 0, {}],
    ["a disposable domain", "ann@mailinator.com", 50, {}],
    ["a domain below it", "ann@x.mailinator.com", 50, {}],
    [
      "an attacker of 15 events, 3 of high risk",
      "eve@example.com",
      80,
      {
        ledger: ledgerOf(history(15, 3, true)),
      },
    ],
    ["a malformed address", "ann", 60, {}],
    ["a malformed address of a disposable domain", "a b@mailinator.com", 100, {}],
    ["a harmful address", "<script>@example.com", 100, {}],
    ["a harmful well-formed address", '"<script>"@example.com', 100, {}],
    [
      "a domain of a feed",
      "ann@one.example",
      50,
      {
        feeds: [{ kind: "disposable", entries: ["one.example"] }],
      },
    ],
    ["an allowed domain", "ann@x.mailinator.com", 0, { allow: { domains: ["mailinator.com"] } }],
    ["another weight", "ann@mailinator.com", 90, { weights: { disposable: 90 } }],
  ])("%s: %s is %d", async (_label, email, score, options) => {
    const engine = await createEngine(options);
    expect((await engine.lookupEmail(email)).risk_score).toBe(score);
    expect(engine.explainEmail(email).score).toBe(score);
  });
});

describe("answer", () => {
  it("has the members of an address in their order, and no others", async () => {
    const engine = await createEngine({
      feeds: [datacenter],
      ledger: ledgerOf(history(2, 0, true)),
    });
    expect(JSON.stringify(await engine.lookupIp("8.8.8.8"))).toBe(
      '{"ip":"8.8.8.8","ip_version":4,"risk_score":85,"is_known_attacker":true,' +
        '"security_events_count":2,"high_risk_security_events_count":0,"ip_geo":{},' +
        '"is_datacenter":true,"is_vpn":false,"is_proxy":false,"is_private":false,"is_tor":false}',
    );
  });

  it("marks a forwarding service, whose score the option decides", async () => {
    const scores = async (options: EngineOptions) => {
      const engine = await createEngine(options);
      const { assessment, signals } = engine.explainEmail("ann@duck.com");
      expect(assessment).toEqual(await engine.lookupEmail("ann@duck.com"));
      const { risk_score, is_disposable, is_forwarding } = assessment;
      return [risk_score, is_disposable, is_forwarding, ...signals.map(({ source }) => source)];
    };
    expect(await scores({})).toEqual([0, false, true]);
    const alike = { forwarding: "disposable" } as const;
    expect(await scores(alike)).toEqual([50, true, true, "forwarding services"]);
    expect(await scores({ ...alike, allow: { domains: ["duck.com"] } })).toEqual([0, false, true]);
    await expect(createEngine({ forwarding: "flag" as never })).rejects.toThrow(
      /`forwarding`.*"allow".*"disposable"/,
    );
  });

  it("has the members of an email in their order, and no others", async () => {
    const engine = await createEngine({ ledger: ledgerOf(history(15, 3, true)) });
    expect(JSON.stringify(await engine.lookupEmail("Eve@Example.com"))).toBe(
      '{"email":"Eve@Example.com","risk_score":80,"is_known_attacker":true,' +
        '"high_risk_security_events_count":3,"security_events_count":15,"is_disposable":false,' +
        '"is_email_malformed":false,"is_email_harmful":false}',
    );
  });
});
