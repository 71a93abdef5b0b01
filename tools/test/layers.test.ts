import { builtinModules } from "node:module";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { projectsIn } from "../workspace.mjs";
import { type SourceFile, sourceFiles } from "./source-file.js";

/** What the sources of each package may import of ours. Arrows point down this table only. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  core: [],
  express: ["core"],
  fastify: ["core"],
  koa: ["core"],
  nest: ["core"],
  web: ["core"],
  hono: ["web"],
  lambda: ["web"],
  next: ["web"],
  testing: ["core"],
  engine: ["core"],
  redis: ["core"],
  postgres: ["core"],
  opentelemetry: ["core"],
  sqlite: ["core"],
  console: [],
  service: ["core", "engine", "console"],
  cli: ["core", "engine", "service", "testing"],
};

/** The rooms of a package in order: a room imports the rooms before it that it names, and no other. */
const ROOMS: Record<string, Record<string, readonly string[]>> = {
  core: {
    base: [],
    address: ["base"],
    lookup: ["base", "address"],
    challenge: ["base", "address"],
    rules: ["base", "address", "lookup"],
    velocity: ["base", "address"],
    gate: ["base", "address", "lookup", "challenge", "rules", "velocity"],
    webhook: ["base", "address"],
    report: ["base", "address", "lookup", "webhook"],
    log: ["base", "address", "lookup", "velocity", "gate", "report"],
    watch: ["base", "address", "velocity", "gate", "report"],
  },
  engine: {
    identifier: [],
    feeds: ["identifier"],
    geo: ["identifier"],
    ledger: ["identifier"],
    mail: ["identifier"],
    assess: ["identifier", "feeds", "geo", "ledger", "mail"],
  },
  service: {
    storage: [],
    events: ["storage"],
    incidents: ["storage", "events"],
    playbooks: ["storage", "events", "incidents"],
    "operator-rules": ["storage", "events"],
    rehearsal: ["storage"],
    intake: ["storage", "events", "incidents", "playbooks"],
    dispatch: ["storage", "events"],
    http: [
      "storage",
      "events",
      "incidents",
      "playbooks",
      "operator-rules",
      "rehearsal",
      "intake",
      "dispatch",
    ],
  },
};

/** What core may import of others: no framework, no database client. */
const CORE_DEPENDENCIES = ["@humanwhocodes/momoa", "lru-cache", "undici"];

const OURS = "@riskgate/";
const packages = projectsIn("packages");
const sources = sourceFiles("src");
const tests = sourceFiles("test");
const examples = sourceFiles("src", "examples");

const isRelative = (specifier: string) => specifier.startsWith(".");
const isOurs = (specifier: string) => specifier.startsWith(OURS);
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
    const isUndeclared = (specifier: string, { project: { manifest } }: SourceFile) =>
      !isRelative(specifier) &&
      !isBuiltin(specifier) &&
      !Object.hasOwn(
        { ...manifest.dependencies, ...manifest.peerDependencies },
        packageOf(specifier),
      );
    expect(offences(sources, isUndeclared)).toEqual([]);
  });

  it("let nobody import a deep path of a package", () => {
    const isDeep = (specifier: string, { path }: SourceFile) => {
      if (isOurs(specifier)) return !isEntry(specifier);
      const target = posix.join(posix.dirname(path), specifier);
      // What the tests of several packages need stands beside the guards.
      const isSupport = path.includes("/test/") && target.startsWith("tools/test/");
      return isRelative(specifier) && !isSupport && !isInside(target, path);
    };
    expect(offences([...sources, ...tests, ...examples], isDeep)).toEqual([]);
  });

  it.each(Object.keys(ROOMS))("let each room of %s import only the rooms before it", (name) => {
    const rooms = ROOMS[name]!;
    const files = sources.filter(({ project }) => project.name === name);
    const roomOf = (path: string) => /^packages\/[^/]+\/src\/([^/]+)\//.exec(path)?.[1];
    expect(
      [...new Set(files.map(({ path }) => roomOf(path)))].filter(Boolean).toSorted(byName),
    ).toEqual(Object.keys(rooms).toSorted(byName));
    const isAbove = (specifier: string, { path }: SourceFile) => {
      const room = roomOf(path);
      // What stands above the rooms puts them together.
      if (room === undefined || !isRelative(specifier)) return false;
      const other = roomOf(posix.join(posix.dirname(path), specifier));
      return other !== room && (other === undefined || !rooms[room]?.includes(other));
    };
    expect(offences(files, isAbove)).toEqual([]);
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

/** Whether a path lies in the folder that holds `from`: `packages/core` for a file of core. */
function isInside(path: string, from: string): boolean {
  return path.startsWith(`${from.split("/").slice(0, 2).join("/")}/`);
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
