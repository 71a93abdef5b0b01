import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { projectsIn, root } from "../workspace.mjs";
import { type Layers, layerTables } from "./layer-table.js";
import { type SourceFile, sourceFiles } from "./source-file.js";
import { folderOf } from "./tracked-source.js";

const tables = layerTables(readFileSync(join(root, "docs/architecture.md"), "utf8"));

/** For each package, the packages of ours that its sources may import. */
const MAY_IMPORT = tables.get("Package") ?? {};

/** The packages whose folders the document lists. */
const WITH_FOLDERS = ["core", "engine", "service"];

/** Third-party packages that core may import: no framework, no database client. */
const CORE_DEPENDENCIES = [
  "@humanwhocodes/momoa",
  "@noble/hashes",
  "altcha-lib",
  "lru-cache",
  "tldts",
  "undici",
];

/** Types alone, generated from the description of the service's API; not published. */
const API_TYPES = "@riskgate/api-types";

const OURS = "@riskgate/";
const packages = projectsIn("packages");
const sources = sourceFiles("src");
const tests = sourceFiles("test");
const examples = sourceFiles("src", "examples");

const isRelative = (specifier: string) => specifier.startsWith(".");
const isOurs = (specifier: string) => specifier.startsWith(OURS) && specifier !== API_TYPES;
const isBuiltin = (specifier: string) =>
  specifier.startsWith("node:") || builtinModules.includes(specifier);

/** Name of the package that a specifier points into. */
const packageOf = (specifier: string) =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

const byName = (one = "", other = ""): number => (one < other ? -1 : 1);

/** Whether a specifier is an entry that a package publishes. */
function isEntry(specifier: string): boolean {
  const name = packageOf(specifier);
  const entry = packages.find(({ manifest }) => manifest.name === name)?.manifest.exports ?? {};
  return Object.hasOwn(entry, `.${specifier.slice(name.length)}`);
}

/** `path: specifier` for every import that breaks a rule. */
function offences(files: SourceFile[], breaks: (specifier: string, file: SourceFile) => boolean) {
  return files.flatMap((file) =>
    file.imports
      .filter((specifier) => breaks(specifier, file))
      .map((specifier) => `${file.path}: ${specifier}`),
  );
}

describe("layers", () => {
  it("reads the imports of real files", () => {
    expect(sources.flatMap((file) => file.imports).length).toBeGreaterThan(10);
  });

  it("name every package", () => {
    expect(Object.keys(MAY_IMPORT)).toEqual(
      expect.arrayContaining(packages.map(({ name }) => name)),
    );
  });

  it("let sources import only what is below them", () => {
    const isAbove = (specifier: string, { project }: SourceFile) =>
      isOurs(specifier) &&
      !MAY_IMPORT[project.name]?.includes(packageOf(specifier).slice(OURS.length));
    expect(offences(sources, isAbove)).toEqual([]);
  });

  it("let manifests depend only on what is below them", () => {
    const wrong = packages.flatMap(({ name, manifest }) =>
      Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
        .filter((dependency) => isOurs(dependency))
        .filter((dependency) => !MAY_IMPORT[name]?.includes(dependency.slice(OURS.length)))
        .map((dependency) => `${name}: ${dependency}`),
    );
    expect(wrong).toEqual([]);
  });

  it("keep frameworks and database clients out of core", () => {
    const isForeign = (specifier: string, { project }: SourceFile) =>
      project.name === "core" &&
      !isRelative(specifier) &&
      !isBuiltin(specifier) &&
      !CORE_DEPENDENCIES.includes(packageOf(specifier));
    expect(offences(sources, isForeign)).toEqual([]);
  });

  it("let sources import only what their manifest declares", () => {
    const isUndeclared = (specifier: string, { path, project: { manifest } }: SourceFile) => {
      if (isRelative(specifier) || isBuiltin(specifier) || specifier === API_TYPES) return false;
      const { dependencies, peerDependencies, devDependencies } = manifest;
      // Pages are published with everything that they import.
      const bundled = path.includes("/src/app/") ? devDependencies : {};
      return !Object.hasOwn(
        { ...dependencies, ...peerDependencies, ...bundled },
        packageOf(specifier),
      );
    };
    expect(offences(sources, isUndeclared)).toEqual([]);
  });

  it("let sources import the generated API types as types only", () => {
    const importing = /import (type )?\{[^}]*\} from "@riskgate\/api-types"/g;
    const values = sources.flatMap(({ path, code }) =>
      [...code.matchAll(importing)].filter(([, type]) => !type).map(() => path),
    );
    expect(values).toEqual([]);
  });

  it("let nobody import a deep path of a package", () => {
    const isDeep = (specifier: string, { path }: SourceFile) => {
      if (isOurs(specifier)) return !isEntry(specifier);
      const target = posix.join(posix.dirname(path), specifier);
      // Support for the tests of several packages is in tools/test.
      const isSupport = path.includes("/test/") && target.startsWith("tools/test/");
      return isRelative(specifier) && !isSupport && !isInside(target, path);
    };
    expect(offences([...sources, ...tests, ...examples], isDeep)).toEqual([]);
  });

  it.each(WITH_FOLDERS)("let each folder of %s import only those listed", (name) => {
    const layers = tables.get(name) ?? {};
    const files = sources.filter(({ project }) => project.name === name);
    const folders = new Set(files.map(({ path }) => folderOf(path)).filter(Boolean));
    expect(Object.keys(layers).toSorted(byName), "folders in docs/architecture.md").toEqual(
      [...folders].toSorted(byName),
    );
    const wrong = files.flatMap(({ path, imports }) =>
      folderImportsOf([{ path, imports }])
        .filter(([from, to]) => !layers[from]?.includes(to))
        .map(([, to]) => `${path}: ${to}`),
    );
    expect(wrong, "imports that docs/architecture.md does not list").toEqual([]);
  });

  it("list nothing that is not used", () => {
    const unusedPackages = listed(MAY_IMPORT).filter(
      ([from, to]) =>
        !sources.some(
          ({ project, imports }) =>
            project.name === from && imports.some((one) => packageOf(one) === OURS + to),
        ),
    );
    const unusedFolders = WITH_FOLDERS.flatMap((name) => {
      const used = folderImportsOf(sources.filter(({ project }) => project.name === name));
      return listed(tables.get(name) ?? {}).filter(
        ([from, to]) => !used.some((pair) => pair[0] === from && pair[1] === to),
      );
    });
    const unused = [...unusedPackages, ...unusedFolders].map(([from, to]) => `${from}: ${to}`);
    expect(unused, "remove these from the tables of docs/architecture.md").toEqual([]);
  });

  it("are read from tables, whose last column lists imports", () => {
    const table = "| `x` | Holds | May import |\n| --- | --- | --- |\n| `a`, `b` | | `c`, `d` |\n";
    expect(layerTables(`Text.\n\n${table}\n| \`y\` |\n`)).toEqual(
      new Map([["x", { a: ["c", "d"], b: ["c", "d"] }]]),
    );
  });

  it("are checked by a search that finds an import of a folder and of a file above it", () => {
    const file = (path: string, ...imports: string[]) => ({ path, imports });
    expect(
      folderImportsOf([
        file("packages/x/src/a/one.ts", "./two.js", "../b/one.js", "../index.js"),
        file("packages/x/src/index.ts", "./a/one.js"),
      ]),
    ).toEqual([
      ["a", "b"],
      ["a", "index.js"],
    ]);
  });

  it("name built-in modules with their scheme", () => {
    const isBare = (specifier: string) => builtinModules.includes(specifier);
    expect(offences([...sources, ...tests, ...examples], isBare)).toEqual([]);
  });

  it.each([
    ["the environment", /\bprocess\.env\b|\benv\b[^;]*from "node:process"/],
    ["the console", /\bconsole\s*\./],
  ])("leave %s to cli and examples", (_, pattern) => {
    const wrong = sources.filter(
      ({ project, path, code }) =>
        // Without Node, a warning has no other place.
        project.name !== "cli" && !path.endsWith("/platform.web.ts") && pattern.test(code),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it("let storage ask only dialects which database it is", () => {
    const asks = /\b(?:Sqlite|Postgres)(?:Adapter|Dialect|Driver|QueryCompiler)\b|\bisPostgres\b/;
    const asking = sources.filter(
      ({ project, code }) => project.name === "service" && asks.test(code),
    );
    expect(asking.map(({ path }) => path).toSorted()).toEqual([
      "packages/service/src/storage/postgres.ts",
      "packages/service/src/storage/sqlite.ts",
    ]);
  });

  it("have no cycle of imports, type imports included", () => {
    expect(cyclesOf(sources)).toEqual([]);
  });

  it("are checked by a search that finds a cycle", () => {
    const file = (path: string, ...imports: string[]) => ({ path, imports });
    expect(
      cyclesOf([file("s/a.ts", "./b.js"), file("s/b.ts", "./c.js"), file("s/c.ts", "./b.js")]),
    ).toEqual(["s/b.ts > s/c.ts > s/b.ts"]);
  });
});

/** Returns true if a path is in the package of `from`. */
function isInside(path: string, from: string): boolean {
  return path.startsWith(`${from.split("/").slice(0, 2).join("/")}/`);
}

/** Pairs of a folder and another folder (or a file beside the folders) that its files import. */
function folderImportsOf(
  files: readonly Pick<SourceFile, "path" | "imports">[],
): [from: string, to: string][] {
  return files.flatMap(({ path, imports }) => {
    const from = folderOf(path);
    // A file directly in `src` may import every folder.
    if (from === undefined) return [];
    return imports.filter(isRelative).flatMap((specifier): [string, string][] => {
      const target = posix.join(posix.dirname(path), specifier);
      const to = folderOf(target) ?? posix.basename(target);
      return to === from ? [] : [[from, to]];
    });
  });
}

/** Pairs of a package or folder and one that it may import. */
function listed(layers: Layers): [from: string, to: string][] {
  return Object.entries(layers).flatMap(([from, others]) =>
    others.map((to): [string, string] => [from, to]),
  );
}

/** Every cycle of relative imports that a walk in depth comes upon. */
function cyclesOf(files: readonly Pick<SourceFile, "path" | "imports">[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const walk = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      cycles.push([...trail.slice(trail.indexOf(path)), path].join(" > "));
      return;
    }
    if (done.has(path)) return;
    for (const specifier of byPath.get(path)?.imports ?? []) {
      if (!isRelative(specifier)) continue;
      const target = posix.join(posix.dirname(path), specifier).replace(/\.js$/, ".ts");
      walk(target, [...trail, path]);
    }
    done.add(path);
  };
  for (const { path } of files) walk(path, []);
  return cycles;
}
