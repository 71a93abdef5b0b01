import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectsIn, root } from "../workspace.mjs";
import { runNode } from "./run-node.js";

const packages = projectsIn("packages");
/** Loads the module named on the command line, and tells which files that opened. */
const TELL_FILES = `
  require(process.argv[1]);
  console.log(JSON.stringify(Object.keys(require.cache)));`;
/** Loads it too, and tells whether that loaded `node:zlib`, then whether loading that would show. */
const TELL_ZLIB = `
  const isLoaded = () => process.moduleLoadList.includes("NativeModule zlib");
  require(process.argv[1]);
  console.log(JSON.stringify([isLoaded(), require("node:zlib") && isLoaded()]));`;

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

  // The cli is a command, which is a module of its own.
  it.each(packages.filter(({ name }) => name !== "cli"))(
    "links $name into one file",
    async ({ path, manifest }) => {
      const main = join(path, manifest.main);
      const { stdout } = await runNode(["--eval", TELL_FILES, main], root);
      const files = JSON.parse(stdout) as string[];
      const own = files.filter((file) => file.startsWith(path) && !file.includes("node_modules"));
      expect(own).toEqual([main, join(path, "dist/linked.cjs")]);
      // What takes long to load waits for its first use, in a way that every loader of CommonJS has.
      expect(files.filter((file) => /undici|mailchecker|maxmind/.test(file))).toEqual([]);
      expect(readFileSync(join(path, "dist/linked.cjs"), "utf8")).not.toMatch(/\bimport\(/);
    },
  );

  it("lets core load zlib when an answer needs it", async () => {
    const core = packages.find(({ name }) => name === "core");
    const { stdout } = await runNode(
      ["--eval", TELL_ZLIB, join(core?.path ?? "", "dist/index.cjs")],
      root,
    );
    expect(JSON.parse(stdout)).toEqual([false, true]);
  });
});
