import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { packed } from "../packed.js";
import { runNode, runProgram } from "../run-node.js";

/** Tools of the application, outside the workspace. */
const TOOLS = {
  "@rollup/plugin-commonjs": "29.0.3",
  "@rollup/plugin-json": "6.1.0",
  "@rollup/plugin-node-resolve": "16.0.3",
  "@types/express": "5.0.6",
  "@types/koa": "3.0.3",
  "@types/node": "20.19.0",
  esbuild: "0.28.2",
  express: "5.3.0",
  jest: "30.5.2",
  rolldown: "1.2.19",
  rollup: "4.68.8",
  typescript: "5.9.3",
  webpack: "5.112.2",
};
/** Peers whose newest version needs a later Node than we do. */
const PEERS = { "@nestjs/common": "^11.0.0", "@nestjs/core": "^11.0.0" };
const MINUTE = 60_000;
/** Errors of npm without access to the registry. */
const OFFLINE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/;

/** One request to a guarded sign-up and one signed delivery. */
const BODY = `
  export async function run() {
    const service = await listen(createServer((_, res) => {
      res.setHeader("content-type", "application/json");
      res.end('{"risk_score":90}');
    }));
    const received = [];
    const lookup = createRiskClient({ baseUrl: service.url, apiKey: "key", timeoutMs: 60_000 });
    const app = express();
    app.post("/webhook", webhookRoute({ secrets: "secret", on: { test: () => void received.push("test") } }));
    app.post("/signup", express.json(), riskGate({ lookup, lookupPrivateIps: true, budgetMs: 60_000 }), (_, res) => res.sendStatus(201));
    const server = await listen(createServer(app));
    const signUp = await fetch(server.url + "/signup", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"email":"ada@example.com"}',
    });
    const { body, headers } = signDelivery([payloads.test()], "secret");
    const webhook = await fetch(server.url + "/webhook", { method: "POST", headers, body });
    await lookup.close();
    service.close();
    server.close();
    return [signUp.status, webhook.status, received.join(), normalizeIp("::ffff:192.0.2.7")].join(" ");
  }
  async function listen(server) {
    await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
    const close = () => { server.close(); server.closeAllConnections(); };
    return { url: "http://127.0.0.1:" + server.address().port, close };
  }`;
const PRINTED = "403 204 test 192.0.2.7\n";
const IMPORTS: readonly (readonly [string, string])[] = [
  ["{ createServer }", "node:http"],
  ["{ createRiskClient }", "@riskgate/core"],
  ["{ normalizeIp }", "@riskgate/core/address"],
  ["{ riskGate, webhookRoute }", "@riskgate/express"],
  ["{ payloads, signDelivery }", "@riskgate/testing"],
  ["express", "express"],
];
const ES_MODULE = [...IMPORTS.map(([names, from]) => `import ${names} from "${from}";`), BODY].join(
  "\n",
);
const COMMONJS = [
  ...IMPORTS.map(([names, from]) => `const ${names} = require("${from}");`),
  BODY.replace("export async function run", "module.exports.run = run;\nasync function run"),
].join("\n");

const WEBPACK = `
  const webpack = require("webpack");
  const output = { path: __dirname + "/out", filename: "webpack.cjs" };
  const options = { mode: "production", target: "node", entry: "./main.mjs", output };
  webpack(options, (error, stats) => {
    process.exitCode = error || stats.hasErrors() ? 1 : 0;
    console.log(error ?? stats.toString("errors-only"));
    for (const { message, module } of stats.compilation.warnings)
      console.log(module?.resource, message);
  });`;
/** Without `ignore`, the plugin hoists an import that undici makes only if the module exists. */
const ROLLUP = `
  import commonjs from "@rollup/plugin-commonjs";
  import json from "@rollup/plugin-json";
  import nodeResolve from "@rollup/plugin-node-resolve";
  const outputs = [["es", "mjs"], ["cjs", "cjs"]];
  export default {
    input: "main.mjs",
    plugins: [nodeResolve(), commonjs({ ignore: ["node:sqlite"] }), json()],
    onwarn: (warning) => console.error(warning),
    output: outputs.map(([format, ending]) => ({
      file: "out/rollup." + ending,
      format,
      inlineDynamicImports: true,
    })),
  };`;
const TYPED = `
  import { createRiskClient, type Decision, type ErrorCode, RiskGateError } from "@riskgate/core";
  import { normalizeIp } from "@riskgate/core/address";
  import { isThenable } from "@riskgate/core/internal";
  import { createEngine } from "@riskgate/engine";
  import { riskGate } from "@riskgate/express";
  import { createService } from "@riskgate/service";
  export const parts: object[] = [createRiskClient, createEngine, createService, riskGate, isThenable];
  export const code: ErrorCode = new RiskGateError("TIMEOUT", "too late").code;
  export const outcomeOf = (decision: Decision): "allow" | "flag" | "challenge" | "reject" => decision.outcome;
  // @ts-expect-error: the types are there, and are not any.
  export const wrong: number = normalizeIp("192.0.2.7");`;

let folder: string;
let tarballs: ReadonlyMap<string, string>;
let offline = false;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "riskgate-installed-")));
  tarballs = await packed(folder);
  const names = ["core", "engine", "express", "service", "testing"].map(
    (name) => `@riskgate/${name}`,
  );
  const { status, output } = await install("app", names, TOOLS);
  offline = OFFLINE.test(output);
  if (offline)
    process.stdout.write("The registry is not reachable: no installed package is tested\n");
  else if (status !== 0) throw new Error(output);
}, 10 * MINUTE);

beforeEach(({ skip }) => skip(offline, "the registry is not reachable"));

// On a slow disk, the removal of a dozen installed trees takes more than a minute.
afterAll(() => rmSync(folder, { recursive: true, force: true }), 10 * MINUTE);

it("installs every package with npm install --engine-strict", { timeout: 5 * MINUTE }, async () => {
  const { status, output } = await install("all", [...tarballs.keys()], PEERS);
  expect(output).not.toMatch(/EBADENGINE/);
  expect(status).toBe(0);
});

describe("an application with the installed packages", { timeout: 5 * MINUTE }, () => {
  it.each([
    ["an ES module", "run.mjs", ES_MODULE, []],
    ["CommonJS", "run.cjs", COMMONJS, []],
    ["CommonJS alone", "run.cjs", COMMONJS, ["--no-experimental-require-module"]],
  ])("runs as %s", async (_, file, program, flags) => {
    const end = file.endsWith("mjs") ? "run" : "module.exports.run";
    write(file, `${program}\n${end}().then(console.log);`);
    expect(await runNode([...flags, file], join(folder, "app"))).toMatchObject({
      stderr: "",
      stdout: PRINTED,
      status: 0,
    });
  });

  // Express is CommonJS, which esbuild cannot bundle into an ES module.
  it.each([
    [
      "esbuild as an ES module",
      "esbuild.mjs",
      [
        "esbuild",
        "main.mjs",
        "--bundle",
        "--platform=node",
        "--format=esm",
        "--external:express",
        "--outfile=out/esbuild.mjs",
      ],
    ],
    [
      "esbuild as CommonJS",
      "esbuild.cjs",
      [
        "esbuild",
        "main.mjs",
        "--bundle",
        "--platform=node",
        "--format=cjs",
        "--outfile=out/esbuild.cjs",
      ],
    ],
    [
      "rolldown",
      "rolldown.mjs",
      [
        "rolldown",
        "main.mjs",
        "--platform=node",
        "--format=es",
        "--dir=out",
        "--entry-file-names=rolldown.mjs",
        "--chunk-file-names=rolldown-[name].mjs",
      ],
    ],
    [
      "rolldown as one file",
      "rolldown-one.mjs",
      [
        "rolldown",
        "main.mjs",
        "--platform=node",
        "--format=es",
        "--no-code-splitting",
        "--file=out/rolldown-one.mjs",
      ],
    ],
    ["rollup as one ES module", "rollup.mjs", ["rollup", "--config", "rollup.config.mjs"]],
    ["rollup as one CommonJS file", "rollup.cjs", ["rollup", "--config", "rollup.config.mjs"]],
    ["webpack", "webpack.cjs", ["node", "webpack.cjs"]],
  ])("runs as bundled by %s", async (_, file, [tool = "", ...args]) => {
    write("main.mjs", `${ES_MODULE}\nrun().then(console.log);`);
    write("webpack.cjs", WEBPACK);
    write("rollup.config.mjs", ROLLUP);
    const built = await runTool(tool, args);
    expect(built.status, built.stdout + built.stderr).toBe(0);
    // Warnings name the file that they are about.
    expect(built.stdout + built.stderr).not.toContain("@riskgate/");
    expect(await runNode([join("out", file)], join(folder, "app"))).toMatchObject({
      stderr: "",
      stdout: PRINTED,
      status: 0,
    });
  });

  it("bundles `sign` and `verify` alone with esbuild", async () => {
    write("signature.mjs", 'export { sign, verify } from "@riskgate/core";');
    const args = ["signature.mjs", "--bundle", "--platform=node", "--format=esm", "--minify"];
    const { status, stdout } = await runTool("esbuild", args);
    expect(status).toBe(0);
    expect(stdout.length).toBeLessThan(20_000);
  });

  it.each([
    ["node16", "node16"],
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ])("compiles in TypeScript with %s and %s", async (module, moduleResolution) => {
    const options = { target: "es2023", strict: true, skipLibCheck: true, noEmit: true };
    const compilerOptions = { ...options, module, moduleResolution, types: ["node"] };
    write("typed.mts", TYPED);
    write("typed.cts", TYPED);
    write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["typed.mts", "typed.cts"] }));
    expect(await runTool("tsc", [])).toMatchObject({ stdout: "", status: 0 });
  });

  it("is tested by Jest in CommonJS", async () => {
    write("application.cjs", COMMONJS);
    write(
      "jest/application.test.js",
      `test("runs", async () => {
         expect(await require("../application.cjs").run() + "\\n").toBe(${JSON.stringify(PRINTED)});
       });`,
    );
    const { status, stderr } = await runTool("jest", [
      "--rootDir",
      "jest",
      "--testTimeout",
      "60000",
    ]);
    expect(stderr).toContain("1 passed");
    expect(status).toBe(0);
  });
});

function write(file: string, text: string): void {
  writeFileSync(join(folder, "app", file), text);
}

/** Installs our packages from tarballs and others from the registry in a new folder. */
async function install(project: string, names: readonly string[], others?: object) {
  const path = join(folder, project);
  const dependencies = Object.fromEntries(names.map((name) => [name, tarballs.get(name)]));
  mkdirSync(join(path, "jest"), { recursive: true });
  writeFileSync(
    join(path, "package.json"),
    JSON.stringify({
      private: true,
      dependencies: { ...dependencies, ...others },
      // Their dependencies on our packages are tarballs too.
      overrides: Object.fromEntries(
        [...tarballs].filter(([name]) => dependencies[name] === undefined),
      ),
    }),
  );
  const { status, stdout, stderr } = await run(
    "npm",
    [
      "install",
      "--engine-strict",
      "--no-audit",
      "--no-fund",
      "--prefer-offline",
      "--fetch-retries=1",
      "--loglevel=error",
    ],
    path,
  );
  return { status, output: `${stdout}${stderr}` };
}

function runTool(tool: string, args: readonly string[]) {
  return run("npx", ["--no-install", tool, ...args], join(folder, "app"));
}

function run(command: string, args: readonly string[], cwd: string) {
  return runProgram(command, args, cwd, 4 * MINUTE);
}
