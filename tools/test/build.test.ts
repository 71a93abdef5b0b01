import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectsIn, root } from "../workspace.mjs";

describe("build", () => {
  it("compiles everything without a mistake", () => {
    const { status, stderr } = spawnSync(process.execPath, [join(root, "tools/build.mjs")], {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });

  it.each(projectsIn("packages"))("gives $name both flavours, one of them an entry", ({ path }) => {
    for (const file of ["index.js", "index.d.ts"]) {
      expect(existsSync(join(path, "dist/cjs", file))).toBe(true);
    }
    expect(readFileSync(join(path, "dist/cjs/package.json"), "utf8")).toContain("commonjs");
    expect(readdirSync(join(path, "dist/esm")).sort()).toEqual(["index.d.ts", "index.js"]);
  });
});
