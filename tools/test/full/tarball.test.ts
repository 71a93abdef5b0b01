import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, posix } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pack } from "../../pack.mjs";
import { type Project, projectsIn, readJson, root, tsc } from "../../workspace.mjs";
import { runNode } from "../run-node.js";

const packages = projectsIn("packages").filter(({ published }) => published);

/**
 * Files that a tarball may contain: code and types, the sources for stack traces, and texts. Core also
 * has code for runtimes without Node's modules.
 */
const SHIPPED = new RegExp(
  `^(?:${[
    "bin/[a-z-]+\\.js",
    "dist/[a-z-]+(?:\\.worker)?\\.(?:js|cjs)(?:\\.map)?",
    "dist/[a-z-]+\\.d\\.c?ts",
    "dist/types/(?:[a-z0-9/-]+(?:\\.web)?\\.d\\.ts|package\\.json)",
    "src/[a-z0-9/-]+(?:\\.web)?\\.ts",
    // The pages of the console, built and as sources.
    "(?:dist|src)/app/.+",
    "vectors/[a-z-]+\\.json",
    "(?:package\\.json|[a-z]+\\.schema\\.json|README\\.md|LICENSE|openapi\\.yaml)",
  ].join("|")})$`,
);

/** TypeScript before 7 has a resolution that does not read `exports`, with CommonJS the usual one. */
const OLD_MODES = [["commonjs", "node"]];
const MODES = [
  ["node16", "node16"],
  ["nodenext", "nodenext"],
  ["esnext", "bundler"],
];
const COMPILERS = [
  { version: "5.0", compiler: "typescript-5.0", modes: [...OLD_MODES, ...MODES] },
  { version: "5.9", compiler: "typescript-5.9", modes: [...OLD_MODES, ...MODES] },
  { version: "7", compiler: "typescript", modes: MODES },
].flatMap(({ modes, ...rest }) =>
  modes.map(([module = "", moduleResolution = ""]) => ({ ...rest, module, moduleResolution })),
);

/** Calls with a misspelt option, by the entry that exports the function. */
const MISSPELT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "@riskgate/core": { createRiskClient: '({ baseUrl: "", apiKey: "", timeoutMS: 1 })' },
  "@riskgate/core/address": { normalizeIp: '("").lenght' },
  "@riskgate/core/adapter": { createLoginWatch: '({ rout: "/login" })' },
  "@riskgate/core/altcha": { createAltchaChallenge: '({ secrets: "s" })' },
  "@riskgate/core/attack": { createAttackMode: "({ minimun: 30 })" },
  "@riskgate/core/blocks": { createBlockList: "({ maxEntry: 1 })" },
  "@riskgate/core/device": { createDevices: '({ secrets: "s", insecur: true })' },
  "@riskgate/core/internal": { isThenable: "(1, 2)" },
  "@riskgate/core/log": { createDecisionLog: "({ fil: 1 })" },
  "@riskgate/core/payloads": { parseDelivery: "({}, { maxByte: 1 })" },
  "@riskgate/core/rules": { createRules: "({ rule: [] })" },
  "@riskgate/core/velocity": { createVelocity: "({ limit: [] })" },
  "@riskgate/core/web": { createRiskClient: '({ baseUrl: "", apiKey: "", timeoutMS: 1 })' },
  "@riskgate/cli": { runCli: "(1)" },
  "@riskgate/console": { CONSOLE_DIRECTORY: ".hreff" },
  "@riskgate/engine": { createEngine: "({ allowed: {} })" },
  "@riskgate/express": {
    riskGate: "({ lookup, rejectAbov: 90 })",
    loginWatch: "({ reporter, accountt: () => undefined })",
    webhookRoute: '({ secrets: "s", on: {}, maxByte: 1 })',
  },
  "@riskgate/fastify": {
    loginWatch: "({ reporter, accountt: () => undefined })",
    "app.register(riskGate": ", { lookup, rejectAbov: 90 })",
    "app.register(webhookRoute": ', { path: "/", secrets: "s", on: {}, maxByte: 1 })',
  },
  "@riskgate/better-auth": { riskGate: "({ lookup, rejectAbov: 90 })" },
  "@riskgate/better-auth/client": { riskGateClient: "({ onChalleng: async () => undefined })" },
  "@riskgate/hono": {
    riskGate: "({ lookup, rejectAbov: 90 })",
    loginWatch: "({ reporter, accountt: () => undefined })",
    webhookRoute: '({ secrets: "s", on: {}, maxByte: 1 })',
  },
  "@riskgate/koa": {
    riskGate: "({ lookup, rejectAbov: 90 })",
    loginWatch: "({ reporter, accountt: () => undefined })",
    webhookRoute: '({ secrets: "s", on: {}, maxByte: 1 })',
  },
  "@riskgate/lambda": {
    riskGate: '({ lookup, rejectAbov: 90 }, async () => ({ statusCode: 201, body: "" }))',
    webhookRoute: '({ secrets: "s", on: {}, maxByte: 1 })',
  },
  "@riskgate/nest": {
    RiskGate: "({ rejectAbov: 90 })",
    RiskGateModule: ".forRoot({ lookup, rejectAbov: 90 })",
    RiskGateWebhookModule: '.forRoot({ path: "/", secrets: "s", on: {}, maxByte: 1 })',
  },
  "@riskgate/next": {
    riskGate: "({ lookup, rejectAbov: 90 }, async () => new Response())",
    riskProxy: "({ lookup, rejectAbov: 90 })",
    webhookRoute: '({ secrets: "s", on: {}, maxByte: 1 })',
  },
  "@riskgate/opentelemetry": { instrumentRiskgate: "({ meterr: 1 })" },
  "@riskgate/postgres": {
    createPostgresSingleUseStore: "(stub, { tabel: 1 })",
    createPostgresVelocityStore: "(stub, { tabel: 1 })",
  },
  "@riskgate/redis": {
    createRedisCache: "(stub, { prefixx: 1 })",
    createRedisVelocityStore: "(stub, { prefixx: 1 })",
  },
  "@riskgate/service": { createService: "({ dataDirr: 1 })" },
  "@riskgate/sqlite": {
    createSqliteInbox: '({ directory: "", prefixx: 1 })',
    createSqliteSingleUseStore: '({ path: "", timeoutM: 1 })',
  },
  "@riskgate/testing": { createFakeLookup: "({ scoress: 1 })" },
  "@riskgate/web": {
    riskGate: "({ lookup, rejectAbov: 90 })",
    webhookRoute: '({ secrets: "s", on: {}, maxByte: 1 })',
  },
  "@riskgate/web/adapter": { createWebGate: "({ lookup, rejectAbov: 90 })" },
};

const entryNames = packages.flatMap(({ manifest }) =>
  Object.keys(manifest.exports ?? {})
    .filter((subpath) => !subpath.endsWith(".json"))
    .map((subpath) => posix.join(manifest.name, subpath)),
);

let app: string;
let tarballs: string[];

beforeAll(async () => {
  // The real path, so that a compiler that follows links finds each folder once.
  app = realpathSync(mkdtempSync(join(tmpdir(), "riskgate-app-")));
  tarballs = await pack(app);
  for (const project of packages) install(project);
  link("@types/node", root);
}, 600_000);

afterAll(() => rmSync(app, { recursive: true, force: true }), 600_000);

describe("tarballs", () => {
  it("exist for every published package", () => {
    expect(tarballs).toHaveLength(packages.length);
    expect(packages.length).toBeGreaterThan(0);
  });

  it.each(packages)("contain only used files of $name", ({ name }) => {
    const files = execFileSync("tar", ["-tzf", tarballOf(name)], { encoding: "utf8" })
      .split("\n")
      .filter((line) => line !== "" && !line.endsWith("/"))
      .map((line) => line.replace(/^package\//, ""));
    expect(files.filter((file) => !SHIPPED.test(file))).toEqual([]);
    expect(files).toContain("LICENSE");
  });

  it.each(packages)("map the code of $name to existing sources", ({ name }) => {
    const dist = join(installed(name), "dist");
    const maps = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".map"),
    );
    expect(maps.length).toBeGreaterThan(0);
    for (const file of maps.map((map) => join(dist, map))) {
      const { sources } = readJson(file) as { sources: string[] };
      expect(sources.filter((source) => !existsSync(join(dirname(file), source)))).toEqual([]);
      expect(readFileSync(file.slice(0, -4), "utf8")).toContain("sourceMappingURL");
    }
  });

  it.each(packages)("have a manifest of $name without anything of the workspace", ({ name }) => {
    const manifest = readFileSync(join(installed(name), "package.json"), "utf8");
    expect(manifest).not.toMatch(/riskgate-source|devDependencies|"workspace:|"catalog:/);
  });
});

describe("an application with the tarballs installed", () => {
  it.each([
    [
      "an ES module",
      "program.mjs",
      [],
      entryNames.map((name, index) => `import * as m${index} from "${name}";`),
      'import { normalizeIp } from "@riskgate/core/address";',
    ],
    [
      "a CommonJS module",
      "program.cjs",
      [],
      entryNames.map((name, index) => `const m${index} = require("${name}");`),
      'const { normalizeIp } = require("@riskgate/core/address");',
    ],
    [
      "a CommonJS module without ES modules",
      "program.cjs",
      ["--no-experimental-require-module"],
      entryNames.map((name, index) => `const m${index} = require("${name}");`),
      'const { normalizeIp } = require("@riskgate/core/address");',
    ],
  ])("loads every package from %s", async (_, file, flags, imports, use) => {
    const counts = entryNames.map((__, index) => `Object.keys(m${index}).length`);
    writeFileSync(
      join(app, file),
      [
        ...imports,
        use,
        `console.log(normalizeIp("::ffff:192.0.2.7"), [${counts.join(", ")}].every((count) => count > 0));`,
      ].join("\n"),
    );
    const { status, stdout, stderr } = await runNode([...flags, file], app);
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: "192.0.2.7 true\n",
      stderr: "",
    });
  });

  it.each([
    ["node16", "node16"],
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ])(
    "compiles in TypeScript for %s and %s, libraries checked",
    async (module, moduleResolution) => {
      // The types of Better Auth itself need Bun's.
      const checked = entryNames.filter((name) => !name.startsWith("@riskgate/better-auth"));
      const program = [
        ...checked.map((name, index) => `import * as m${index} from "${name}";`),
        'import { type ErrorCode, RiskGateError } from "@riskgate/core";',
        'import { normalizeIp } from "@riskgate/core/address";',
        `export const modules: object[] = [${checked.map((_, index) => `m${index}`).join(", ")}];`,
        'export const code: ErrorCode = new RiskGateError("TIMEOUT", "too late").code;',
        'export const ip: string | undefined = normalizeIp("192.0.2.7");',
        "// @ts-expect-error: the types are there, and are not any.",
        'export const wrong: number = normalizeIp("192.0.2.7");',
      ].join("\n");
      writeFileSync(join(app, "program.mts"), program);
      writeFileSync(join(app, "program.cts"), program);
      const config = `tsconfig.${moduleResolution}.json`;
      writeFileSync(
        join(app, config),
        JSON.stringify({
          compilerOptions: {
            target: "es2023",
            module,
            moduleResolution,
            strict: true,
            skipLibCheck: false,
            noEmit: true,
            types: ["node"],
          },
          files: ["program.mts", "program.cts"],
        }),
      );
      const { status, stdout } = await runNode([tsc, "--project", config], app, 200_000);
      expect(stdout).toBe("");
      expect(status).toBe(0);
    },
  );
});

describe("types of the tarballs", () => {
  it.each(COMPILERS)(
    "refuse misspelt options with TypeScript $version, $module and $moduleResolution",
    async ({ version, compiler, module, moduleResolution }) => {
      expect(Object.keys(MISSPELT).sort()).toEqual([...entryNames].sort());
      const name = `misspelt-${version}-${moduleResolution}`;
      writeFileSync(join(app, `${name}.ts`), misspeltProgram());
      const compilerOptions = { target: "es2022", lib: ["es2022", "dom"], strict: true };
      const options = { module, moduleResolution, skipLibCheck: true, noEmit: true, types: [] };
      const files = [`${name}.ts`];
      writeFileSync(
        join(app, `${name}.json`),
        JSON.stringify({ compilerOptions: { ...compilerOptions, ...options }, files }),
      );
      const tool = join(root, "node_modules", compiler, "bin/tsc");
      const { status, stdout } = await runNode([tool, "--project", `${name}.json`], app, 120_000);
      expect(stdout).toBe("");
      expect(status).toBe(0);
    },
    180_000,
  );
});

/** Returns a program that compiles if, and only if, every misspelt call is an error. */
function misspeltProgram(): string {
  const calls = Object.entries(MISSPELT).flatMap(([entry, uses], index) => [
    `import * as m${index} from "${entry}";`,
    ...Object.entries(uses).flatMap(([name, call]) => [
      `// @ts-expect-error: misspelt in ${entry}`,
      name.startsWith("app.register(")
        ? `void ${name.replace("(", `(m${index}.`)}${call};`
        : `void m${index}.${name}${call};`,
    ]),
  ]);
  return [
    'import { createRiskClient, type Reporter } from "@riskgate/core";',
    'import type { FastifyInstance } from "fastify";',
    'const lookup = createRiskClient({ baseUrl: "", apiKey: "" });',
    "declare const reporter: Reporter;",
    "declare const app: FastifyInstance;",
    "declare const stub: never;",
    ...calls,
  ].join("\n");
}

const installed = (name: string) => join(app, "node_modules", "@riskgate", name);

function tarballOf(name: string): string {
  const found = tarballs.find((file) => basename(file).startsWith(`riskgate-${name}-`));
  if (found === undefined) throw new Error(`no tarball of ${name}`);
  return found;
}

/** Unpacks a package, and links its dependencies to those of the workspace. */
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
