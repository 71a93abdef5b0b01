import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectsIn, root } from "../workspace.mjs";
import { runNode } from "./run-node.js";

const packages = projectsIn("packages");
/** Loads the module named on the command line, and tells which files that opened. */
const TELL_FILES = `
  require(process.argv[1]);
  console.log(JSON.stringify(Object.keys(require.cache)));`;

describe("build", () => {
  it("compiles everything without a mistake", () => {
    const { status, stderr } = spawnSync(process.execPath, [join(root, "tools/build.mjs")], {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });

  it.each(packages)("gives $name both flavours, one of them an entry", ({ path, manifest }) => {
    for (const file of [manifest.main, "dist/cjs/index.js", "dist/cjs/index.d.ts"]) {
      expect(existsSync(join(path, file))).toBe(true);
    }
    expect(readFileSync(join(path, "dist/cjs/package.json"), "utf8")).toContain("commonjs");
    expect(readdirSync(join(path, "dist/esm")).sort()).toEqual(["index.d.ts", "index.js"]);
  });

  it("links the core into one file, and leaves undici for its first use", async () => {
    const core = packages.find(({ name }) => name === "core")!;
    const main = join(core.path, core.manifest.main);
    const { stdout } = await runNode(["--eval", TELL_FILES, main], root);
    const files = JSON.parse(stdout) as string[];
    const own = files.filter((file) => !file.includes("node_modules"));
    expect(own.map((file) => basename(file)).sort()).toEqual(["index.cjs", "linked.cjs"]);
    expect(files.filter((file) => file.includes("undici"))).toEqual([]);
    expect(readFileSync(join(core.path, "dist/linked.cjs"), "utf8")).not.toMatch(/\bimport\(/);
  });
});
