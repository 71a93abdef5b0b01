import { readOptions } from "@riskgate/core/adapter";
import { describe, expect, it } from "vitest";
import { RULE_DEFAULTS } from "../src/intake/rule-options.js";
import { readServiceOptions } from "../src/service-options.js";

const read = (options: object) => readOptions("createService", options, readServiceOptions);

describe("readServiceOptions", () => {
  it("needs the data directory alone", () => {
    expect(read({ dataDir: "data" })).toMatchObject({
      dataDir: "data",
      engine: {},
      feedUpdates: undefined,
      ledger: {},
      rules: RULE_DEFAULTS,
      dashboardUrl: "http://localhost",
      delivery: { timeoutMs: 10_000 },
      retentionDays: 90,
    });
  });

  it("hands on what the engine, its ledger and its updater check", () => {
    const updates = { dir: "lists", feeds: [] };
    const settings = read({
      dataDir: "data",
      geo: "places.mmdb",
      weights: { tor: 1 },
      ledger: { halfLifeMs: 5 },
      feedUpdates: { ...updates, everyMs: 0 },
    });
    expect(settings.engine).toEqual({ geo: "places.mmdb", weights: { tor: 1 } });
    expect(settings.ledger).toEqual({ halfLifeMs: 5 });
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
});
