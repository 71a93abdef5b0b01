import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pack } from "../../pack.mjs";
import { root } from "../../workspace.mjs";
import { runProgram } from "../run-node.js";

/** Where `tools/runtimes.mjs` installs runtimes, and the command of each. */
const INSTALLED = join(root, ".riskgate/runtimes/node_modules");
const RUNTIMES = [
  { name: "this Node", command: process.execPath, args: [] },
  { name: "Bun", command: join(INSTALLED, ".bin/bun"), args: ["run"] },
  { name: "Deno", command: join(INSTALLED, ".bin/deno"), args: ["run", "--allow-all"] },
  { name: "Node 22", command: join(INSTALLED, "node22/bin/node"), args: [] },
  { name: "Node 24", command: join(INSTALLED, "node24/bin/node"), args: [] },
  { name: "Node 26", command: join(INSTALLED, "node26/bin/node"), args: [] },
];

/** Dependencies of a Hono application. */
const HONO = ["hono@4.13.19", "@hono/node-server@2.1.9"];

const folder = mkdtempSync(join(tmpdir(), "riskgate-runtimes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }), 600_000);

beforeAll(async () => {
  const files = await pack(folder);
  const tarballs = files.filter((file) => /riskgate-(?:core|web|hono)-\d/.test(file));
  writeFileSync(join(folder, "package.json"), '{"private":true,"type":"module"}\n');
  const args = ["install", "--no-audit", "--no-fund", "--prefer-offline", ...tarballs, ...HONO];
  const { status, stderr } = await runProgram("npm", args, folder, 300_000);
  if (status !== 0) throw new Error(`npm install failed:\n${stderr}`);
  for (const name of ["web", "hono"]) {
    const program = join(root, `packages/${name}/test/support/on-runtime.mjs`);
    copyFileSync(program, join(folder, `${name}.mjs`));
  }
}, 600_000);

describe("the packages as they are installed", () => {
  for (const { name, command, args } of RUNTIMES) {
    const isThere = existsSync(command);
    const title = isThere ? name : `${name}, which \`node tools/runtimes.mjs\` has not installed`;
    it.skipIf(!isThere)(`look up, decide and receive on ${title}`, async () => {
      const run = await runProgram(command, [...args, "web.mjs"], folder, 50_000);
      expect(run.status, run.stderr).toBe(0);
      expect(run.stderr).toContain("RISKGATE_RAW_BODY_UNAVAILABLE");
      expect(JSON.parse(run.stdout)).toEqual({
        score: 5,
        key: true,
        decided: "reject",
        good: "allow",
        bad: 403,
        received: 204,
        again: 1,
        signed: 204,
        forged: 401,
        large: 413,
        consumed: 500,
        handled: 2,
      });
    });

    it.skipIf(!isThere)(`serve an application of Hono on ${title}`, async () => {
      const run = await runProgram(command, [...args, "hono.mjs"], folder, 50_000);
      expect(run.status, run.stderr).toBe(0);
      expect(JSON.parse(run.stdout)).toEqual({
        passed: { outcome: "allow", ip: "scored" },
        flagged: { outcome: "flag", ip: "scored" },
        rejected: 403,
        signed: 204,
        forged: 401,
        large: 413,
        consumed: 500,
      });
    });
  }
});
