import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
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

  it.each(projectsIn("packages").filter((project) => project.published))(
    "gives $name both flavours",
    ({ path }) => {
      for (const flavour of ["esm", "cjs"]) {
        expect(existsSync(join(path, "dist", flavour, "index.js"))).toBe(true);
        expect(existsSync(join(path, "dist", flavour, "index.d.ts"))).toBe(true);
      }
      expect(readFileSync(join(path, "dist/cjs/package.json"), "utf8")).toContain("commonjs");
    },
  );
});
