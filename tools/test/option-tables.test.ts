import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createGate, createRiskClient } from "../../packages/core/src/index.js";
import { createEngine } from "../../packages/engine/src/index.js";
import { riskGate, webhookRoute } from "../../packages/express/src/index.js";
import { createService } from "../../packages/service/src/index.js";
import { root } from "../workspace.mjs";

type Factory = (options: never) => unknown;

const UNKNOWN = "qqqqqqqqqqqqqqqqqqqqqqqq";
/** The clock of the client, for tests only. */
const NOT_SHOWN = ["now"];

const lookup = { lookupIp: () => ({}), lookupEmail: () => ({}) };
const webhook = { secrets: "hook-secret-1", on: { test: () => {} } };
const client = { baseUrl: "http://127.0.0.1:9", apiKey: "key" };

const TABLES: readonly [name: string, make: Factory, options: object, document: string][] = [
  ["riskGate", riskGate, { lookup }, "docs/options.md"],
  ["webhookRoute", webhookRoute, webhook, "docs/options.md"],
  ["createGate", createGate, { lookup }, "docs/options.md"],
  ["createRiskClient", createRiskClient, client, "packages/core/README.md"],
  ["createEngine", createEngine, {}, "packages/engine/README.md"],
  ["createService", createService, { dataDir: "data" }, "packages/service/README.md"],
];

/** Returns the options that a factory lists when it refuses an unknown one. */
async function optionsOf(make: Factory, options: object): Promise<string[]> {
  const given = { ...options, [UNKNOWN]: 1 } as never;
  const error = (await Promise.resolve()
    .then(() => make(given))
    .catch((reason: unknown) => reason)) as Error;
  const [, list = ""] = /: unknown option; known are (.*)$/.exec(error.message) ?? [];
  return [...list.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
}

/** Returns the names in the first cells of the tables of a document. */
function namesIn(document: string): Set<string> {
  const text = readFileSync(join(root, document), "utf8");
  const cells = [...text.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = ""]) => cell);
  return new Set(
    cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, one = ""]) => one)),
  );
}

describe("tables of options", () => {
  it.each(TABLES)("list every option of %s", async (_, make, options, document) => {
    const known = (await optionsOf(make, options)).filter((name) => !NOT_SHOWN.includes(name));
    expect(known.length).toBeGreaterThan(4);
    const named = namesIn(document);
    expect(known.filter((name) => !named.has(name))).toEqual([]);
  });
});
