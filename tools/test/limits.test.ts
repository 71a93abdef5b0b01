import { describe, expect, it } from "vitest";
import { projectsIn } from "../workspace.mjs";
import { exportedNames } from "./exported-names.js";
import { importsOf, longestChain } from "./import-chain.js";
import { longFunctionsIn } from "./long-function.js";
import { linesOf, packageOf, type TrackedFile, trackedFiles } from "./tracked-source.js";

/** Figures of today. They only fall: lower one whenever the code is below it. */
const MOST = {
  /** Files on the longest path of imports within a package, type imports included. */
  chain: { core: 12, service: 14, other: 10 },
  /** Lines of a function, measured with the functions inside it. */
  functionLines: 80,
  /** Functions over that, listed below. */
  longFunctions: 6,
  /** Names that an entry exports, values and types. */
  names: {
    "better-auth .": 6,
    "better-auth ./client": 4,
    "cli .": 8,
    "console .": 1,
    "core .": 79,
    "core ./adapter": 25,
    "core ./address": 23,
    "core ./altcha": 3,
    "core ./attack": 10,
    "core ./blocks": 12,
    "core ./device": 13,
    "core ./internal": 86,
    "core ./log": 15,
    "core ./payloads": 44,
    "core ./rules": 11,
    "core ./velocity": 15,
    "core ./web": 54,
    "engine .": 39,
    "express .": 23,
    "fastify .": 24,
    "hono .": 23,
    "koa .": 23,
    "lambda .": 26,
    "nest .": 28,
    "next .": 25,
    "opentelemetry .": 2,
    "postgres .": 11,
    "redis .": 20,
    "service .": 17,
    "sqlite .": 7,
    "testing .": 66,
    "web .": 32,
    "web ./adapter": 22,
  } as Record<string, number>,
  /** Part of a package's lines that `model/` may hold. */
  modelShare: 0.12,
  /** Files that report the failure of a hook. */
  hookFailures: 1,
  /** Files of core that limit the time of a promise. */
  timeLimits: 1,
  sourceLines: 80_000,
  benchLines: 3_790,
};

/** Functions that may be longer, by package, file and name. Nothing is added here. */
const LONG_FUNCTIONS = ["engine/ledger-reporter.ts createLedgerReporter"];

/** Files of core whose timers start later work; every other timer of core limits a promise. */
const STARTS_LATER = ["call.ts", "rule-file.ts"];

const SOURCE = /^packages\/[^/]+\/src\/.*\.tsx?$/;
const HOOK_FAILED = /new RiskGateError\(\s*"HOOK_FAILED"/;

const sources = trackedFiles(SOURCE);
const packages = projectsIn("packages");
const sourcesOf = (name: string) => sources.filter(({ path }) => packageOf(path) === name);
const totalLines = (files: readonly TrackedFile[]) =>
  files.reduce((lines, { text }) => lines + linesOf(text), 0);
const baseName = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** Names the long functions of files as the list above does. */
const longFunctionsOf = (files: readonly TrackedFile[]) =>
  files.flatMap((file) =>
    longFunctionsIn(file, MOST.functionLines).map(
      (name) => `${packageOf(file.path)}/${baseName(file.path)} ${name}`,
    ),
  );

/** Files of core that call `setTimeout`, except those that start later work. */
const timeLimitsIn = (files: readonly TrackedFile[]) =>
  files.filter(
    ({ path, text }) =>
      path.startsWith("packages/core/") &&
      /\bsetTimeout\(/.test(text) &&
      !STARTS_LATER.includes(baseName(path)),
  );

/** Imports of a file in `model/` that lead outside it; packages below are allowed. */
const leavingModel = (files: readonly TrackedFile[]) =>
  files
    .filter(({ path }) => path.includes("/src/model/"))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\bfrom "([^"]+)"/g)]
        .map(([, specifier = ""]) => specifier)
        .filter((specifier) => !/^(?:\.\/[^/]+|@riskgate\/.+)$/.test(specifier))
        .map((specifier) => `${path}: ${specifier}`),
    );

const pathsOf = (files: readonly TrackedFile[]) => files.map(({ path }) => path);
const file = (path: string, text: string): TrackedFile => ({ path, text });

describe("limits", () => {
  it.each(packages.map(({ name }) => name))("keep the imports of %s shallow", (name) => {
    const chain = longestChain(importsOf(sourcesOf(name)));
    const most = name === "core" || name === "service" ? MOST.chain[name] : MOST.chain.other;
    expect(chain.length, `longest chain of imports:\n${chain.join("\n")}\n`).toBeLessThanOrEqual(
      most,
    );
  });

  it(`keep functions at ${MOST.functionLines} lines, except those listed`, () => {
    expect(longFunctionsOf(sources).toSorted()).toEqual(LONG_FUNCTIONS.toSorted());
    expect(LONG_FUNCTIONS.length).toBeLessThanOrEqual(MOST.longFunctions);
  });

  it("keep entries small", () => {
    const counts = packages.flatMap(({ name, manifest }) =>
      Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) => {
        const source = typeof target === "object" ? target["riskgate-source"] : undefined;
        if (typeof source !== "string") return [];
        const names = exportedNames(`packages/${name}/${source.slice(2)}`, sources);
        return [[`${name} ${subpath}`, names.length] as const];
      }),
    );
    expect(counts.filter(([entry, count]) => count > (MOST.names[entry] ?? 0))).toEqual([]);
    expect(Object.keys(MOST.names).toSorted()).toEqual(counts.map(([entry]) => entry).toSorted());
  });

  it("keep model/ small and on the ground", () => {
    for (const { name } of packages) {
      const model = sourcesOf(name).filter(({ path }) => path.includes("/src/model/"));
      const share = totalLines(model) / totalLines(sourcesOf(name));
      expect(share, `${name}/src/model`).toBeLessThanOrEqual(MOST.modelShare);
    }
    expect(leavingModel(sources)).toEqual([]);
  });

  it("keep the failure of a hook in few files", () => {
    const files = pathsOf(sources.filter(({ text }) => HOOK_FAILED.test(text)));
    expect(files.length, files.join("\n")).toBeLessThanOrEqual(MOST.hookFailures);
  });

  it("keep time limits of core in few files", () => {
    const files = pathsOf(timeLimitsIn(sources));
    expect(files.length, files.join("\n")).toBeLessThanOrEqual(MOST.timeLimits);
  });

  it("keep the project from growing", () => {
    expect(totalLines(sources)).toBeLessThanOrEqual(MOST.sourceLines);
    expect(totalLines(trackedFiles(/^bench\/.*\.mjs$/))).toBeLessThanOrEqual(MOST.benchLines);
  });
});

describe("the search of limits", () => {
  const names = ["a", "b", "c", "d"];
  const chain = names.map((name, index) =>
    file(`packages/x/src/${name}.ts`, `import type { A } from "./${names[index + 1]}.js";`),
  );

  it("finds the longest chain, also through a component", () => {
    const files = [...chain.slice(0, 3), file("packages/x/src/d.tsx", "export const d = 1;")];
    expect(longestChain(importsOf(files))).toEqual(pathsOf(files));
  });

  it("finds a long function, with the functions inside it", () => {
    const lines = "\n".repeat(MOST.functionLines - 1);
    const short = file("packages/x/src/a.ts", `const short = () => {${lines}};`);
    const long = file("packages/x/src/b.ts", `class B { long() { run(() => {${lines}\n}); } }`);
    expect(longFunctionsOf([short, long])).toEqual(["x/b.ts long", "x/b.ts long"]);
  });

  it("finds every name of an entry", () => {
    const files = [
      file("s/index.ts", 'export * from "./a.js";\nexport { b as c, type D } from "./b.js";'),
      file("s/a.ts", "export const e = 1;\nexport interface F {}\nexport type G = F;"),
    ];
    expect(exportedNames("s/index.ts", files)).toEqual(["D", "F", "G", "c", "e"]);
  });

  it("finds an import that leaves model/", () => {
    const model = file(
      "packages/x/src/model/a.ts",
      'import "./b.js";\nimport { c } from "../c.js";\nexport type { D } from "./d.js";',
    );
    expect(leavingModel([model])).toEqual(["packages/x/src/model/a.ts: ../c.js"]);
  });

  it("finds a hook's failure and a time limit", () => {
    expect('throw new RiskGateError(\n  "HOOK_FAILED"').toMatch(HOOK_FAILED);
    const limit = file("packages/core/src/base/limit.ts", "setTimeout(reject, ms)");
    const later = file("packages/core/src/rules/rule-file.ts", "setTimeout(look, ms)");
    expect(timeLimitsIn([limit, later])).toEqual([limit]);
  });
});
