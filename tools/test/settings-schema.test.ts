import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { afterAll, describe, expect, it } from "vitest";
import { readServiceSettings } from "../../packages/cli/src/serve/service-settings.js";
import { readOptions } from "../../packages/core/src/adapter.js";
import { resolveOptions } from "../../packages/engine/src/engine-options.js";
import { readLedgerOptions } from "../../packages/engine/src/ledger/memory-ledger.js";
import { readServiceOptions } from "../../packages/service/src/service-options.js";
import { root } from "../workspace.mjs";

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** A setting with its path. */
type Setting = readonly [path: string, schema: Schema];

const schema = JSON.parse(
  readFileSync(join(root, "packages/cli/settings.schema.json"), "utf8"),
) as Schema;
const isValid = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);

const directory = mkdtempSync(join(tmpdir(), "riskgate-settings-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const groups = listOf(schema).filter(([, { properties }]) => properties);
const leaves = listOf(schema).filter(
  ([, { type, enum: words, properties }]) => !properties && (type ?? words),
);

/** Options that a JSON file cannot express. */
const FUNCTIONS = ["resolve"];

/** Yields a schema and everything below it. */
function listOf(one: Schema, path = ""): Setting[] {
  const below = Object.entries(one.properties ?? {}).flatMap(([name, inner]) =>
    listOf(inner, path === "" ? name : `${path}.${name}`),
  );
  return [[path, one], ...below];
}

/** Returns settings with one value at a path. */
function settingsWith(path: string, value: unknown): unknown {
  const names = path === "" ? [] : path.split(".");
  return names.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
}

/** Reads settings like the service; throws if it refuses them. */
async function read(settings: unknown) {
  const file = join(directory, "settings.json");
  writeFileSync(file, JSON.stringify(settings));
  const given = await readServiceSettings(file);
  const service = readOptions("createService", { dataDir: "data", ...given }, readServiceOptions);
  const ledger = readOptions("createMemoryLedger", service.ledger, readLedgerOptions);
  return { ...service, ...service.api, ...resolveOptions(service.engine), ledger };
}

async function refusalOf(settings: unknown): Promise<string | undefined> {
  try {
    await read(settings);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Returns the bounds of a number, with the nearest values outside. */
function boundsOf({ minimum, exclusiveMinimum = 0, maximum, type }: Schema) {
  const least = minimum ?? exclusiveMinimum + 0.5;
  const below = minimum === undefined ? exclusiveMinimum : minimum - 1;
  const above = maximum === undefined ? [] : [maximum * 2];
  const broken = type === "integer" ? [least + 0.5] : [];
  return { least, outside: [below, ...above, ...broken] };
}

/** Returns wrong values for a setting. */
function wrongFor(one: Schema): unknown[] {
  const types = [null, "text", 5, true, false, {}, [], ["text"], [5]];
  const isOfType = new Ajv().compile({ ...one, default: undefined });
  const wrong = types.filter((value) => !isOfType(value));
  return one.type === "number" || one.type === "integer"
    ? [...wrong, ...boundsOf(one).outside]
    : wrong;
}

describe("settings.schema.json", () => {
  it("describes all groups of settings", () => {
    expect(groups.length).toBeGreaterThan(8);
    expect(leaves.length).toBeGreaterThan(50);
  });

  it.each(groups)(
    "has the names that the service accepts in `%s`",
    async (path, { properties }) => {
      const message = await refusalOf(settingsWith(path, { qqqqqqqqqqqqqqqqqqqqqqqq: 1 }));
      const list = /: unknown option; known are (.*?)(?: \(in |$)/.exec(message ?? "")?.[1] ?? "";
      const known = list.match(/\w+|\$schema/g)?.filter((name) => !FUNCTIONS.includes(name));
      expect(Object.keys(properties ?? {}).toSorted()).toEqual(known?.toSorted());
      expect(isValid(settingsWith(path, { qqqqqqqqqqqqqqqqqqqqqqqq: 1 }))).toBe(false);
    },
  );

  it.each([...groups.slice(1), ...leaves])(
    "refuses for `%s` what the service refuses",
    async (path, one) => {
      const off = one.type === "object" ? [false] : [];
      const wrong = one.properties ? [null, "text", 5, true, ...off, []] : wrongFor(one);
      expect(wrong.length).toBeGreaterThan(3);
      for (const value of wrong) {
        const settings = settingsWith(path, value);
        expect([value, isValid(settings)]).toEqual([value, false]);
        expect([value, await refusalOf(settings)]).not.toEqual([value, undefined]);
      }
    },
  );

  it.each(["least", "largest"])("accepts the %s values that the service accepts", async (which) => {
    const settings = { $schema: "./settings.schema.json" };
    for (const [path, one] of leaves) {
      if (one.type === "number" || one.type === "integer") {
        const value = which === "least" ? boundsOf(one).least : (one.maximum ?? 1e12);
        merge(settings, path, value);
      }
    }
    expect(isValid(settings), JSON.stringify(isValid.errors)).toBe(true);
    expect(await refusalOf(settings)).toBe(undefined);
  });

  it("has the defaults of the service", async () => {
    const defaults = await read({ mx: {} });
    const told = leaves.filter(([, one]) => one.default !== undefined);
    expect(told.length).toBeGreaterThan(40);
    for (const [path, one] of told) {
      // It is an option of operator rules and ledger.
      const place = path === "providerRules" ? "rules.providerRules" : path;
      const real = place
        .split(".")
        .reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], defaults);
      expect([path, one.default]).toEqual([path, real]);
    }
  });
});

function merge(settings: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.split(".");
  const last = names.pop() ?? "";
  let place = settings;
  for (const name of names) place = (place[name] ??= {}) as Record<string, unknown>;
  place[last] = value;
}
