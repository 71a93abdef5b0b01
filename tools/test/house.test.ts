import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readJson, root } from "../workspace.mjs";
import { type SourceFile, sourceFiles } from "./source-file.js";

const MAX_LINES = 300;
const MAX_ADAPTER_CODE_LINES = 80;
const MAX_ROOT_ENTRIES = 22;
const MAX_README_LINES = 150;
const MAX_PICTURE_BYTES = 310_000;
const FIRST_README_LINES = 60;

const ADAPTERS = ["express", "fastify", "koa", "nest", "web", "hono", "next", "lambda"];
const BUCKETS = /^(?:utils?|helpers?|common|types?|misc|shared)\.ts$/;
const TEXT_FILE = /\.(?:md|ts|mjs|js|json|ya?ml|sh|html|css|sql|lua)$|(?:^|\/)(?:run|Dockerfile)$/;
const MACHINE_PATH = /(?:^|[\s"'`(=])\/(?:work|root|home|Users)\//m;

const sources = sourceFiles("src");
const own = [...sources, ...sourceFiles("test"), ...sourceFiles("src", "examples")];
const tracked = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((path) => path !== "" && existsSync(join(root, path)));

/** Test files, which documents also name by their path within `packages`, and codes of tests. */
const TEST_NAME = /`((?:[\w-]+\/)+[\w.-]+\.ts)`|\b([A-Z]{3}-\d{2})\b/g;

const pathsOf = (files: readonly SourceFile[]) => files.map(({ path }) => path);
const linesOf = (text: string) => text.trimEnd().split("\n").length;

/** Counts lines without blank lines, comments and imports. */
const codeLinesOf = ({ code }: SourceFile) =>
  code
    .replace(/^(?:import|export)\b[^;]*\bfrom\b[^;]*;/gm, "")
    .split("\n")
    .filter((line) => line.trim() !== "").length;

describe("house", () => {
  it("has sources in ASCII", () => {
    // oxlint-disable-next-line no-control-regex -- The control characters are the lower half.
    expect(pathsOf(own.filter(({ text }) => /[^\x00-\x7f]/.test(text)))).toEqual([]);
  });

  it("has no file named like a bucket", () => {
    expect(pathsOf(sources.filter(({ path }) => BUCKETS.test(basename(path))))).toEqual([]);
  });

  it("names files in kebab-case", () => {
    const odd = own.filter(({ path }) => !/^[a-z0-9]+(?:[-.][a-z0-9]+)*\.ts$/.test(basename(path)));
    expect(pathsOf(odd)).toEqual([]);
  });

  it(`has no source over ${MAX_LINES} lines`, () => {
    expect(pathsOf(sources.filter(({ text }) => linesOf(text) > MAX_LINES))).toEqual([]);
  });

  it(`has no adapter file over ${MAX_ADAPTER_CODE_LINES} lines of code`, () => {
    const long = sources.filter(
      (file) => ADAPTERS.includes(file.project.name) && codeLinesOf(file) > MAX_ADAPTER_CODE_LINES,
    );
    expect(pathsOf(long)).toEqual([]);
  });

  it("does not use any", () => {
    const loose = sources.filter(({ code }) => /(?::\s*|<|\bas\s+|\|\s*)any\b/.test(code));
    expect(pathsOf(loose)).toEqual([]);
  });

  it("exports by name only", () => {
    expect(pathsOf(sources.filter(({ code }) => /^export default\b/m.test(code)))).toEqual([]);
  });

  it(`has at most ${MAX_ROOT_ENTRIES} entries at its root`, () => {
    const entries = new Set(tracked.map((path) => path.split("/")[0]));
    expect(entries.size, [...entries].join(" ")).toBeLessThanOrEqual(MAX_ROOT_ENTRIES);
  });

  it("stores no file that .gitignore names", () => {
    const command = ["ls-files", "--cached", "--ignored", "--exclude-standard"];
    expect(execFileSync("git", command, { cwd: root, encoding: "utf8" })).toBe("");
  });

  it("keeps the settings of knip in a file", () => {
    expect(existsSync(join(root, "knip.json"))).toBe(true);
    expect(readJson(join(root, "package.json"))).not.toHaveProperty("knip");
  });

  it("ends lines in LF on every system", () => {
    const odd = execFileSync("git", ["ls-files", "--eol"], { cwd: root, encoding: "utf8" })
      .split("\n")
      .filter(
        (line) => line !== "" && !/^i\/(?:lf|-text|none) .*attr\/(?:text.*eol=lf|-text)/.test(line),
      );
    expect(odd).toEqual([]);
  });

  it("names the oldest Node that packages support in .nvmrc", () => {
    const { engines } = readJson(join(root, "package.json")) as { engines: { node: string } };
    expect(engines.node).toBe(`>=${readFileSync(join(root, ".nvmrc"), "utf8").trim()}`);
  });

  it("gives each package one manifest and one compiler config", () => {
    const expected = ["README.md", "package.json", "src", "test", "tsconfig.json"];
    const odd = readdirSync(join(root, "packages")).flatMap((name) =>
      [...new Set(tracked.filter((path) => path.startsWith(`packages/${name}/`)))]
        .map((path) => path.split("/")[2] ?? "")
        .filter((entry) => !expected.includes(entry))
        .map((entry) => `packages/${name}/${entry}`),
    );
    // The command, which a package manager links before the first build, and files that people and
    // tools read directly: schemas, the description of the API, vectors for other languages.
    expect(odd).toEqual([
      "packages/cli/bin",
      "packages/cli/settings.schema.json",
      "packages/core/rules.schema.json",
      "packages/service/openapi.yaml",
      "packages/testing/vectors",
    ]);
  });

  it(`stores only pictures that a page shows, at most ${MAX_PICTURE_BYTES} bytes`, () => {
    const pages = tracked
      .filter((path) => path.endsWith(".md"))
      .map((path) => readFileSync(join(root, path), "utf8"))
      .join("\n");
    const pictures = tracked.filter((path) => /\.(?:png|jpe?g|webp|gif)$/.test(path));
    expect(pictures.filter((path) => !pages.includes(`console/${basename(path)}`))).toEqual([]);
    const bytes = pictures.map((path) => statSync(join(root, path)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_PICTURE_BYTES);
  });

  it("names existing tests for every promise of docs/security-model.md", () => {
    const page = readFileSync(join(root, "docs/security-model.md"), "utf8");
    const tables = page.split(/\n{2,}/).filter((block) => block.startsWith("| Promise"));
    const rows = tables.flatMap((table) => table.split("\n").slice(2));
    expect(rows.length).toBeGreaterThan(30);
    const all = own.map(({ text }) => text).join("\n");
    const wrong = rows.flatMap((row) => {
      const names = [...row.slice(row.lastIndexOf(" | ")).matchAll(TEST_NAME)];
      const missing = names.filter(([, path, code]) =>
        path === undefined
          ? !all.includes(code!)
          : !tracked.includes(path) && !tracked.includes(`packages/${path}`),
      );
      return names.length === 0 ? [row] : missing.map(([name]) => name);
    });
    expect(wrong).toEqual([]);
  });

  it("contains no path of a developer's machine", () => {
    const telling = tracked
      .filter((path) => TEXT_FILE.test(path))
      .filter((path) => MACHINE_PATH.test(readFileSync(join(root, path), "utf8")));
    expect(telling).toEqual([]);
  });

  it(`shows a picture, the quick start and a sample in the first ${FIRST_README_LINES} lines of README.md`, () => {
    const text = readFileSync(join(root, "README.md"), "utf8");
    expect(linesOf(text)).toBeLessThanOrEqual(MAX_README_LINES);
    const first = text.split("\n").slice(0, FIRST_README_LINES).join("\n");
    for (const part of [/<picture>[^]*<\/picture>/, /^## Quick start$/m, /```ts\n[^]*```/]) {
      expect(first).toMatch(part);
    }
  });
});
