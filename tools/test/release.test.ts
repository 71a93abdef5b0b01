import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectsIn, root } from "../workspace.mjs";

const published = projectsIn("packages").filter((project) => project.published);
const versions = [...new Set(published.map(({ manifest }) => manifest.version))];
const [first = ""] = readFileSync(join(root, "CHANGELOG.md"), "utf8").match(/^## .*$/m) ?? [];

/** The tag that GitHub runs a workflow for. */
const { GITHUB_REF_TYPE, GITHUB_REF_NAME } = process.env;
const tag = GITHUB_REF_TYPE === "tag" ? GITHUB_REF_NAME : undefined;

describe("release", () => {
  it("gives all packages one version", () => {
    expect(versions).toHaveLength(1);
  });

  it("begins CHANGELOG.md with this version or with unreleased changes", () => {
    expect(first).toMatch(
      new RegExp(`^## (?:Unreleased|${versions[0]} \\(\\d{4}-\\d\\d-\\d\\d\\))$`),
    );
  });

  it.runIf(tag)("has a tag, a section in CHANGELOG.md and no changeset left over", () => {
    expect(tag).toBe(`v${versions[0]}`);
    expect(first).toContain(`## ${versions[0]} (`);
    const left = readdirSync(join(root, ".changeset")).filter((file) => file.endsWith(".md"));
    expect(left).toEqual([]);
  });
});
