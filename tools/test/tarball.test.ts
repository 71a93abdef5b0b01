import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pack } from "../pack.mjs";
import { type Project, projectsIn, root, tsc } from "../workspace.mjs";
import { runNode } from "./run-node.js";

const packages = projectsIn("packages").filter(({ published }) => published);
const importable = packages.filter(({ manifest }) => manifest.exports?.["."] !== undefined);

/** What a tarball may hold: code and an entry for ES modules, types, and three files for people. */
const SHIPPED =
  /^(?:dist\/(?:esm\/index|cjs\/[a-z0-9/-]+)\.(?:js|d\.ts)|dist\/(?:index|linked)\.cjs|dist\/cjs\/package\.json|package\.json|README\.md|LICENSE|openapi\.yaml)$/;

let app: string;
let tarballs: string[];

beforeAll(() => {
  // The real path: a compiler that follows links must not take one folder for two.
  app = realpathSync(mkdtempSync(join(tmpdir(), "riskgate-app-")));
  tarballs = pack(app);
  for (const project of packages) install(project);
  link("@types/node", root);
}, 120_000);

afterAll(() => rmSync(app, { recursive: true }));

describe("tarballs", () => {
  it("are made of every published package", () => {
    expect(tarballs).toHaveLength(packages.length);
    expect(packages.length).toBeGreaterThan(0);
  });

  it.each(packages)("hold of $name nothing but what is used", ({ name }) => {
    const files = execFileSync("tar", ["-tzf", tarballOf(name)], { encoding: "utf8" })
      .split("\n")
      .filter((line) => line !== "" && !line.endsWith("/"))
      .map((line) => line.replace(/^package\//, ""));
    expect(files.filter((file) => !SHIPPED.test(file))).toEqual([]);
    expect(files).toContain("LICENSE");
    const withMap = files.filter((file) =>
      readFileSync(join(installed(name), file), "utf8").includes("sourceMappingURL"),
    );
    expect(withMap).toEqual([]);
    // What is linked is not there once more.
    const modules = files.filter((file) => /^dist\/cjs\/.*\.js$/.test(file));
    expect(modules.length === 0).toBe(files.includes("dist/linked.cjs"));
  });

  it.each(packages)("have of $name a manifest that means something elsewhere", ({ name }) => {
    const manifest = readFileSync(join(installed(name), "package.json"), "utf8");
    expect(manifest).not.toMatch(/riskgate-source|"workspace:|"catalog:/);
  });
});

describe("an application with the tarballs installed", () => {
  const names = importable.map(({ manifest }) => manifest.name);

  it.each([
    [
      "an ES module",
      "program.mjs",
      names.map((name, index) => `import * as m${index} from "${name}";`),
      'import { normalizeIp } from "@riskgate/core/address";',
    ],
    [
      "a CommonJS module",
      "program.cjs",
      names.map((name, index) => `const m${index} = require("${name}");`),
      'const { normalizeIp } = require("@riskgate/core/address");',
    ],
  ])("loads every package from %s", async (_, file, imports, use) => {
    const counts = names.map((__, index) => `Object.keys(m${index}).length`);
    writeFileSync(
      join(app, file),
      [
        ...imports,
        use,
        `console.log(normalizeIp("::ffff:192.0.2.7"), [${counts.join(", ")}].every(Number.isInteger));`,
      ].join("\n"),
    );
    const { status, stdout, stderr } = await runNode([file], app);
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: "192.0.2.7 true\n",
      stderr: "",
    });
  });

  it("compiles in TypeScript as an ES module and as CommonJS, libraries checked", async () => {
    const program = [
      ...names.map((name, index) => `import * as m${index} from "${name}";`),
      'import { type ErrorCode, RiskGateError } from "@riskgate/core";',
      'import { normalizeIp } from "@riskgate/core/address";',
      `export const modules: object[] = [${names.map((_, index) => `m${index}`).join(", ")}];`,
      'export const code: ErrorCode = new RiskGateError("TIMEOUT", "too late").code;',
      'export const ip: string | undefined = normalizeIp("192.0.2.7");',
      "// @ts-expect-error: the types are there, and are not any.",
      'export const wrong: number = normalizeIp("192.0.2.7");',
    ].join("\n");
    writeFileSync(join(app, "program.mts"), program);
    writeFileSync(join(app, "program.cts"), program);
    writeFileSync(
      join(app, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          target: "es2023",
          module: "node16",
          strict: true,
          skipLibCheck: false,
          noEmit: true,
          types: ["node"],
        },
        files: ["program.mts", "program.cts"],
      }),
    );
    const { status, stdout } = await runNode([tsc, "--project", app], app, 60_000);
    expect(stdout).toBe("");
    expect(status).toBe(0);
  });
});

const installed = (name: string) => join(app, "node_modules", "@riskgate", name);

function tarballOf(name: string): string {
  const found = tarballs.find((file) => basename(file).startsWith(`riskgate-${name}-`));
  if (found === undefined) throw new Error(`no tarball of ${name}`);
  return found;
}

/** Unpack a package, and link what it depends on to what the workspace has. */
function install({ name, path, manifest }: Project): void {
  mkdirSync(installed(name), { recursive: true });
  execFileSync("tar", ["-xzf", tarballOf(name), "-C", installed(name), "--strip-components=1"]);
  for (const dependency of Object.keys({
    ...manifest.dependencies,
    ...manifest.peerDependencies,
  })) {
    if (!dependency.startsWith("@riskgate/")) link(dependency, path);
  }
}

function link(dependency: string, from: string): void {
  const target = join(app, "node_modules", dependency);
  if (existsSync(target)) return;
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(realpathSync(join(from, "node_modules", dependency)), target, "junction");
}
