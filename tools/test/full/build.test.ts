import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import type { IpAssessment } from "../../../packages/core/src/index.js";
import type * as Web from "../../../packages/web/src/index.js";
import type { Rule } from "../../../packages/core/src/rules.js";
import { describe, expect, it } from "vitest";
import { projectsIn, root } from "../../workspace.mjs";
import { runNode } from "../run-node.js";

const packages = projectsIn("packages");
const core = join(root, "packages/core");
const entries = packages.flatMap(({ name, path, entries: own }) =>
  own.map((entry) => ({ ...entry, title: `${name}: ${entry.name}`, path })),
);
/** Dependencies that load on first use only. */
const LAZY = /undici|mailchecker|maxmind/;
/** Makes Node load CommonJS like Jest; by default `require` loads the ES module. */
const COMMONJS = "--no-experimental-require-module";
/** Loads the module named on the command line, and prints the loaded files. */
const PRINT_FILES = `
  require(process.argv[1]);
  console.log(JSON.stringify(Object.keys(require.cache)));`;
/** Loads it, and prints if that loaded `node:zlib`, then if loading `node:zlib` is visible. */
const PRINT_ZLIB = `
  const isLoaded = () => process.moduleLoadList.includes("NativeModule zlib");
  require(process.argv[1]);
  console.log(JSON.stringify([isLoaded(), require("node:zlib") && isLoaded()]));`;
/** Minified bytes of `sign` and `verify` in the bundle of an application. */
const MAX_SIGNATURE_BYTES = 20_000;

/** Minified bytes of a bundle for Workers that exports these functions of `@riskgate/web`. */
const MAX_WORKER_BYTES = {
  verify: 13_200,
  webhookRoute: 34_500,
  riskGate: 56_200,
  "riskGate, webhookRoute": 82_800,
  loginWatch: 27_000,
  "loginWatch, createReporter": 45_500,
};

/** Bundles functions of `@riskgate/web` as a Worker would. */
async function bundleForWorkers(names: string) {
  const web = join(root, "packages/web");
  const bundle = await rolldown({
    input: "application",
    platform: "browser",
    resolve: { conditionNames: ["workerd", "worker", "browser", "import"] },
    plugins: [
      {
        name: "application",
        resolveId: (id) => (id === "application" ? join(web, "application.mjs") : undefined),
        load: (id) =>
          id.endsWith("application.mjs") ? `export { ${names} } from "@riskgate/web";` : null,
      },
    ],
  });
  const { output } = await bundle.generate({ format: "es", minify: true, comments: false });
  await bundle.close();
  return output;
}

describe("build", () => {
  it("compiles everything without errors", { timeout: 600_000 }, async () => {
    const { status, stderr } = await runNode([join(root, "tools/build.mjs")], root, 500_000);
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });

  it.each(entries)("builds an ES module, CommonJS and types of $title", ({ name, path }) => {
    for (const extension of ["js", "cjs", "d.ts", "d.cts"]) {
      expect(existsSync(join(path, `dist/${name}.${extension}`)), extension).toBe(true);
    }
  });

  it.each(packages)("points all exports of $name to files", ({ path, manifest }) => {
    const text = JSON.stringify([manifest.main, manifest.exports, manifest.bin]);
    const files = [...text.matchAll(/"(\.\/[^"]+\.[^"]+)"/g)].map(([, file = ""]) => file);
    expect(files.filter((file) => !existsSync(join(path, file)))).toEqual([]);
  });

  it.each(packages)("loads no heavy dependency of $name before its first use", async ({ path }) => {
    const main = join(path, "dist/index.cjs");
    const { stdout } = await runNode([COMMONJS, "--eval", PRINT_FILES, main], root);
    const files = JSON.parse(stdout) as string[];
    expect(files).toContain(main);
    expect(files.filter((file) => LAZY.test(file))).toEqual([]);
  });

  it("loads later with import in ES modules and require in CommonJS", () => {
    // Bundlers cannot follow `require` in an ES module; Jest has no `import()` in CommonJS.
    expect(readFileSync(join(core, "dist/shared.js"), "utf8")).toContain('import("undici")');
    expect(readFileSync(join(core, "dist/shared.cjs"), "utf8")).toContain('require("undici")');
    expect(readFileSync(join(core, "dist/shared.cjs"), "utf8")).not.toMatch(/\bimport\(/);
  });

  it("lets core load zlib when an answer needs it", async () => {
    const main = join(core, "dist/index.cjs");
    const { stdout } = await runNode([COMMONJS, "--eval", PRINT_ZLIB, main], root);
    expect(JSON.parse(stdout)).toEqual([false, true]);
  });

  it.each(["js", "cjs"])("shows TypeScript in the stack traces of index.%s", async (extension) => {
    const file = JSON.stringify(join(core, `dist/index.${extension}`));
    const program = `import(${file}).then((core) => (core.createRiskClient ?? core.default.createRiskClient)({}));`;
    const { stderr } = await runNode(["--enable-source-maps", "--eval", program], root);
    expect(stderr).toContain("CONFIG_INVALID");
    expect(stderr).toMatch(/at createRiskClient \(.*packages\/core\/src\/lookup\/client\.ts:\d+/);
  });

  it("lets a bundler drop unused parts", async () => {
    const entry = join(core, "dist/index.js");
    const bundle = await rolldown({
      input: "application",
      platform: "node",
      plugins: [
        {
          name: "application",
          resolveId: (id) => (id === "application" ? id : undefined),
          load: (id) =>
            id === "application" ? `export { sign, verify } from ${JSON.stringify(entry)};` : null,
        },
      ],
    });
    const { output } = await bundle.generate({ format: "es", minify: true });
    await bundle.close();
    expect(output).toHaveLength(1);
    expect(output[0].code.length).toBeLessThan(MAX_SIGNATURE_BYTES);
  });

  it.each(Object.entries(MAX_WORKER_BYTES))(
    "bundles %s for Workers without anything of Node",
    async (names, maxBytes) => {
      const output = await bundleForWorkers(names);
      const [{ code, imports }] = output;
      expect(output).toHaveLength(1);
      expect(imports).toEqual([]);
      expect(/node:|\bBuffer\.|\bprocess\.|\brequire\(/.exec(code)?.[0]).toBeUndefined();
      expect(code.length).toBeLessThan(maxBytes);
    },
  );

  it("reports logins from Workers by the runtime's fetch", async () => {
    const [{ code }] = await bundleForWorkers("createReporter, loginWatch");
    const url = `data:text/javascript,${encodeURIComponent(code)}`;
    const { createReporter, loginWatch } = (await import(url)) as typeof Web;
    const sent: unknown[] = [];
    const answer = { accepted: 1, duplicates: 0, refused: 0, elements: [{ state: "accepted" }] };
    const reporter = createReporter({
      baseUrl: "https://risk.example",
      reportKey: "key",
      fetch: async (input, init) => {
        sent.push(input, JSON.parse(init?.body as string));
        return Response.json(answer);
      },
    });
    const request = new Request("http://app.example/", { method: "POST" });
    const info = { remoteAddress: "8.8.8.8", body: { email: "ann@shop.example" } };
    await loginWatch({ reporter })(request, info, () => new Response(null, { status: 401 }));
    await reporter.close();
    const login = { account: "ann@shop.example", address: "8.8.8.8", success: false };
    expect(sent).toMatchObject(["https://risk.example/v1/reports/logins", [login]]);
    expect(reporter.stats()).toMatchObject({ accepted: 1, dropped: 0 });
  });

  it("takes rules for Workers from createRules only, which a bundler drops otherwise", async () => {
    const [{ code }] = await bundleForWorkers("createRules, riskGate");
    const url = `data:text/javascript,${encodeURIComponent(code)}`;
    const { createRules, riskGate } = (await import(url)) as typeof Web;
    const score = (): Promise<IpAssessment> => Promise.resolve({ risk_score: 50 });
    const lookup = { lookupIp: score, lookupEmail: score };
    const listed: Rule[] = [{ name: "low", when: { scoreAbove: 45 }, outcome: "reject" }];
    expect(() => riskGate({ lookup, rules: listed })).toThrow("createRules()");
    const guard = riskGate({ lookup, rules: createRules(listed) });
    const info = { remoteAddress: "8.8.8.8" };
    expect(await guard(new Request("http://app.example/"), info)).toHaveProperty("status", 403);
  });
});
