import { createMemoryLedger } from "@riskgate/engine";
import { readOptions } from "@riskgate/core/adapter";
import { describe, expect, it } from "vitest";
import { DETECTION_DEFAULTS } from "../src/detection/detection-settings.js";
import { readServiceOptions } from "../src/service-options.js";

const read = (options: object) => readOptions("createService", options, readServiceOptions);

describe("readServiceOptions", () => {
  it("needs the data directory alone", () => {
    expect(read({ dataDir: "data" })).toMatchObject({
      dataDir: "data",
      engine: {},
      feedUpdates: undefined,
      ledger: {},
      rules: DETECTION_DEFAULTS,
      dashboardUrl: undefined,
      delivery: { timeoutMs: 10_000 },
      retentionDays: 90,
    });
  });

  it("takes one setting for the spellings of a mailbox, for ledger and rules", () => {
    const settings = read({ dataDir: "data", providerRules: false });
    expect([settings.ledger.providerRules, settings.rules.providerRules]).toEqual([false, false]);
  });

  it("hands on what the engine, its ledger and its updater check", () => {
    const updates = { dir: "lists", feeds: [] };
    const settings = read({
      dataDir: "data",
      geo: "places.mmdb",
      forwarding: "disposable",
      weights: { tor: 1 },
      ledger: { halfLifeMs: 5 },
      feedUpdates: { ...updates, everyMs: 0 },
    });
    expect(settings.engine).toEqual({
      geo: "places.mmdb",
      forwarding: "disposable",
      weights: { tor: 1 },
    });
    expect(settings.ledger).toEqual({ halfLifeMs: 5, providerRules: true });
    expect(settings.feedUpdates).toEqual({ updater: updates, everyMs: 0 });
  });

  it.each<[object, string]>([
    [{}, "`dataDir` must be a directory"],
    [{ dataDir: "" }, "`dataDir` must be a directory"],
    [{ dataDir: "x", datadir: "y" }, "`datadir`: unknown option; did you mean `dataDir`?"],
    [{ dataDir: "x", rule: {} }, "`rule`: unknown option; did you mean `rules`?"],
    [{ dataDir: "x", ledger: { now: Date.now } }, "`ledger.now`: unknown option"],
    [
      { dataDir: "x", feedUpdates: { dir: "y", every: 5 } },
      "`feedUpdates.every`: unknown option; did you mean `everyMs`?",
    ],
    [
      { dataDir: "x", delivery: { timeout: 5 } },
      "`delivery.timeout`: unknown option; did you mean `timeoutMs`?",
    ],
    [{ dataDir: "x", retentionDays: 0 }, "`retentionDays` must be a number"],
    [{ dataDir: "x", dispatch: "no" }, '`dispatch` must be true or false, given "no"'],
    [{ dataDir: "x", ledger: 5 }, "`ledger` must be an object"],
    [Promise.resolve({ dataDir: "x" }), "await"],
  ])("refuses %j", (options, message) => {
    expect(() => read(options)).toThrow(
      expect.objectContaining({
        code: "CONFIG_INVALID",
        message: expect.stringContaining(message) as string,
      }),
    );
  });

  const WRONG = [null, [], "90", -1, Number.NaN, Infinity, 2 ** 60, false, Promise.resolve(1)];
  const NUMBERS = [
    ["retentionDays"],
    ["rateLimit", "burst"],
    ["rateLimit", "perSecond"],
    ["feedUpdates", "everyMs"],
    ["delivery", "timeoutMs"],
    ["delivery", "maxWaitMs"],
    ["delivery", "concurrency"],
    ["delivery", "closeGraceMs"],
    ["delivery", "retry", "maxAttempts"],
    ["delivery", "retry", "firstWaitMs"],
    ["delivery", "retry", "lastWaitMs"],
    ["rules", "maxSubjects"],
    ["rules", "maxLagMs"],
    ...Object.keys(DETECTION_DEFAULTS.logins).map((name) => ["rules", "logins", name]),
    ...Object.keys(DETECTION_DEFAULTS.incidents).map((name) => ["rules", "incidents", name]),
    ...Object.keys(DETECTION_DEFAULTS.peaks).map((name) => ["rules", "peaks", name]),
  ];
  const GROUPS = [
    ["rateLimit"],
    ["feedUpdates"],
    ["delivery"],
    ["delivery", "retry"],
    ["rules"],
    ["rules", "logins"],
    ["rules", "incidents"],
    ["rules", "peaks"],
    ["ledger"],
  ];

  it.each([...NUMBERS, ...GROUPS].map((path) => [path.join("."), path] as const))(
    "refuses what can be no value of `%s`, and names it",
    (name, path) => {
      const wrong = NUMBERS.includes(path) ? [...WRONG, {}] : [...WRONG.slice(0, 8), 5, [{}]];
      for (const value of wrong) {
        const [top = "", ...rest] = path;
        const nested = rest.reduceRight<unknown>((inner, member) => ({ [member]: inner }), value);
        const options = { dataDir: "data", [top]: withRequired(top, nested) };
        expect(() => read(options)).toThrow(
          expect.objectContaining({
            code: "CONFIG_INVALID",
            message: expect.stringContaining(`\`${name}\``) as string,
          }),
        );
      }
    },
  );

  it.each(["maxEntries", "halfLifeMs", "retentionMs", "ipv6Prefix"])(
    "refuses what can be no value of `ledger.%s`",
    (name) => {
      for (const value of [...WRONG, {}]) {
        const { ledger } = read({ dataDir: "data", ledger: { [name]: value } });
        expect(() => createMemoryLedger(ledger)).toThrow(
          expect.objectContaining({
            code: "CONFIG_INVALID",
            message: expect.stringContaining(`\`${name}\``) as string,
          }),
        );
      }
    },
  );

  it.each(["feedUpdates", "delivery", "rules", "ledger", "rateLimit"])(
    "takes `%s: undefined` for one that is left out",
    (name) => {
      expect(read({ dataDir: "data", [name]: undefined }).retentionDays).toBe(90);
    },
  );
});

/** A group whose other members are in order. */
function withRequired(name: string, value: unknown): unknown {
  const isGroup = typeof value === "object" && value !== null && !Array.isArray(value);
  if (name !== "feedUpdates" || !isGroup || value instanceof Promise) return value;
  return { dir: "lists", feeds: [], ...value };
}
