import { createRiskClient, type RiskLookup } from "@riskgate/core";
import { describe, expect, it } from "vitest";
import { createFakeLookup } from "../../src/fake/fake-lookup.js";
import { createFakeService } from "../../src/fake/fake-service.js";
import { lookupContract, type LookupHarness } from "../../src/lookup/lookup-contract.js";

const opened = (name: string, make: () => RiskLookup): LookupHarness => ({
  name,
  open: async () => ({ lookup: make(), close: async () => {} }),
});

const clientHarness = (name: string, options: { cache?: false; fetch?: typeof fetch }) => ({
  name,
  async open() {
    const service = await createFakeService();
    const { baseUrl, apiKey } = service;
    const lookup = createRiskClient({ baseUrl, apiKey, timeoutMs: 30_000, ...options });
    return {
      lookup,
      async close() {
        await lookup.close();
        await service.close();
      },
    };
  },
});

describe.each([
  opened("createFakeLookup", () => createFakeLookup()),
  opened("createFakeLookup in memory", () => createFakeLookup({}, { inMemory: true })),
  clientHarness("createRiskClient", {}),
  clientHarness("createRiskClient without a cache", { cache: false }),
])("$name", (harness) => {
  for (const check of lookupContract) {
    it(`${check.id} ${check.title}`, { timeout: check.timeoutMs }, async () => {
      await expect(check.run(harness)).resolves.toBeUndefined();
    });
  }
});

/** Lookups that break one rule each, with the checks that must notice. */
const BROKEN: [flaw: string, ids: string[], change: (sound: RiskLookup) => Partial<RiskLookup>][] =
  [
    ["a score of 101", ["LKP-01"], () => ({ lookupIp: async () => ({ risk_score: 101 }) })],
    ["a score that is text", ["LKP-02"], () => ({ lookupEmail: async () => score("5") })],
    [
      "answers about another address",
      ["LKP-01"],
      (sound) => ({ lookupIp: async () => sound.lookupIp("192.0.2.99") }),
    ],
    [
      "addresses compared as text",
      ["LKP-01"],
      (sound) => ({
        lookupIp: async (ip) => ({
          ...(await sound.lookupIp(ip)),
          security_events_count: ip.length,
        }),
      }),
    ],
    ["no check of addresses", ["LKP-03"], () => ({ lookupIp: async () => ({ risk_score: 0 }) })],
    ["no check of emails", ["LKP-04"], () => ({ lookupEmail: async () => ({ risk_score: 0 }) })],
    [
      "throws",
      ["LKP-05"],
      (sound) => ({
        lookupIp(ip) {
          if (ip === "") throw new Error("thrown");
          return sound.lookupIp(ip);
        },
      }),
    ],
    [
      "a signal it does not look at",
      ["LKP-06"],
      (sound) => ({ lookupIp: async (ip) => sound.lookupIp(ip) }),
    ],
    [
      "listeners it leaves",
      ["LKP-08"],
      (sound) => ({
        async lookupIp(ip, options) {
          // One is enough to be noticed, and too few for Node to warn of.
          if (ip.endsWith(".1")) options?.signal?.addEventListener("abort", () => {});
          return sound.lookupIp(ip, options);
        },
      }),
    ],
    [
      "answers that change",
      ["LKP-09"],
      () => {
        let risk_score = 0;
        return { lookupIp: async () => ({ risk_score: risk_score++ % 100 }) };
      },
    ],
    [
      "one answer for everybody to write on",
      ["LKP-10"],
      () => {
        const shared = { risk_score: 0, ip_geo: {} };
        return { lookupIp: async () => shared };
      },
    ],
    [
      "a peek that throws",
      ["LKP-11"],
      () => ({
        peekIp() {
          throw new Error("thrown");
        },
        peekEmail: () => undefined,
      }),
    ],
    [
      "a peek of its own opinion",
      ["LKP-11"],
      (sound) => ({
        peekIp(ip) {
          const hit = sound.peekIp?.(ip);
          return hit && { ...hit, assessment: { ...hit.assessment, risk_score: 77 } };
        },
      }),
    ],
  ];

function score(risk_score: unknown): { risk_score: number } {
  return { risk_score } as { risk_score: number };
}

describe("lookupContract", () => {
  it.each(BROKEN)("notices %s", async (_, ids, change) => {
    const make = (): RiskLookup => {
      const sound = createFakeLookup({}, { inMemory: true });
      return { ...sound, ...change(sound) };
    };
    for (const id of ids) {
      const check = lookupContract.find((candidate) => candidate.id === id);
      await expect(check?.run(opened("broken", make))).rejects.toBeInstanceOf(Error);
    }
  });
});
