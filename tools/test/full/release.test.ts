import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { projectsIn, readJson, root } from "../../workspace.mjs";
import { runNode } from "../run-node.js";

const packages = projectsIn("packages").filter(({ published }) => published);
const MANIFESTS = ["packages", "examples"] as const;

describe("bump", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "riskgate-bump-"));
    const files = ["package.json", "pnpm-workspace.yaml", ".changeset/config.json"];
    const manifests = MANIFESTS.flatMap((parent) =>
      projectsIn(parent).map(({ name }) => join(parent, name, "package.json")),
    );
    for (const file of [...files, "tools/faults/package.json", ...manifests]) {
      cpSync(join(root, file), join(folder, file));
    }
    write("CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A gate.\n");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  const bump = () => runNode([join(root, "tools/bump.mjs"), folder], folder);
  const changelog = () => readFileSync(join(folder, "CHANGELOG.md"), "utf8");
  const versions = () => [
    ...new Set(
      packages.map(({ name }) => {
        const manifest = readJson(join(folder, "packages", name, "package.json"));
        return (manifest as { version: string }).version;
      }),
    ),
  ];

  it("gives all packages the version that one changeset asks for", async () => {
    const [before] = versions();
    const [major, minor] = before!.split(".").map(Number) as [number, number];
    const after = `${major}.${minor + 1}.0`;
    write(".changeset/one.md", '---\n"@riskgate/koa": minor\n---\n\nA store.\n');
    write(".changeset/two.md", '---\n"@riskgate/core": patch\n---\n\nA leak.\n');
    expect((await bump()).stdout).toContain(`bump: ${after};`);
    expect(versions()).toEqual([after]);
    expect(changelog()).toMatch(
      new RegExp(
        `## \\[Unreleased\\]\n\n## \\[${after}\\] - [\\d-]{10}\n\n### Added\n\n` +
          "- A gate\\.\n- A store\\.\n\n### Fixed\n\n- A leak\\.\n$",
      ),
    );
    expect((await bump()).stderr).toContain(`has a section for ${after} already`);
  });

  it("keeps the version without a changeset", async () => {
    const before = versions();
    expect((await bump()).stderr).toBe("");
    expect(versions()).toEqual(before);
    expect(changelog()).toContain(`## [${before[0]}] - `);
  });

  it("changes nothing when a changeset names no package", async () => {
    mkdirSync(join(folder, ".changeset"), { recursive: true });
    write(".changeset/one.md", '---\n"@riskgate/kao": minor\n---\n\nA store.\n');
    const text = changelog();
    expect((await bump()).stderr).toContain("@riskgate/kao");
    expect(changelog()).toBe(text);
  });
});

describe("release", () => {
  const release = (...options: string[]) =>
    runNode([join(root, "tools/release.mjs"), ...options], root);

  it("refuses a tag that is not the version of every package", async () => {
    const { stderr } = await release("v99.0.0", "--dry-run");
    for (const { manifest } of packages) expect(stderr).toContain(`${manifest.name} has version`);
    expect(stderr).toContain('CHANGELOG.md has no section for "99.0.0"');
  });

  it("refuses a release without a tag", async () => {
    expect((await release()).stderr).toContain('the tag is ""');
  });
});
