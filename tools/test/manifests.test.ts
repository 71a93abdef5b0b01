import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { hooks } from "../pnpmfile.cjs";
import { projectsIn, readJson, root } from "../workspace.mjs";

const REPOSITORY = "https://github.com/riskgate/riskgate";
const packages = projectsIn("packages").filter(({ published }) => published);

/** An adapter has a guide; its README only introduces it. */
const MAX_README_LINES = 40;
const adapters = packages.filter(({ name }) => existsSync(join(root, `docs/guides/${name}.md`)));

/** Files in `dist` that are not a subpath: the main entry, and a command. */
const OUTSIDE = new Set(["index", "main"]);

interface Manifest {
  readonly exports: object;
  readonly typesVersions?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly publishConfig: object;
  readonly devDependencies?: object;
}

describe("manifest and README of a package", () => {
  it.each(packages)("name the repository of $name", ({ name, path }) => {
    expect(readJson(join(path, "package.json"))).toMatchObject({
      homepage: `${REPOSITORY}/tree/main/packages/${name}#readme`,
      bugs: `${REPOSITORY}/issues`,
      repository: {
        type: "git",
        url: `git+${REPOSITORY}.git`,
        directory: `packages/${name}`,
      },
    });
  });

  it.each(packages)("publish $name with provenance and without tests", ({ path }) => {
    const manifest = readJson(join(path, "package.json")) as {
      files: string[];
      exports: Record<string, unknown>;
    };
    expect(manifest).toMatchObject({ publishConfig: { access: "public", provenance: true } });
    expect(manifest.files.slice(0, 3)).toEqual(["dist", "!dist/**/*.tsbuildinfo", "src"]);
    const others = manifest.files.slice(3);
    expect(others.filter((file) => !existsSync(join(path, file)))).toEqual([]);
    expect(manifest.exports).toHaveProperty(["./package.json"], "./package.json");
  });

  it.each(packages)("contain the commands of $name before the first build", ({ path }) => {
    const { bin = {} } = readJson(join(path, "package.json")) as { bin?: Record<string, string> };
    for (const file of Object.values(bin)) {
      expect(file).toMatch(/^\.\/bin\//);
      expect(statSync(join(path, file)).mode & 0o111).toBe(0o111);
    }
  });

  it.each(packages)("packs $name with the same entries, without their sources", ({ path }) => {
    const { devDependencies: _, ...manifest } = readJson(join(path, "package.json")) as Manifest;
    expect(manifest.publishConfig).not.toHaveProperty("exports");
    const packed = JSON.parse(
      JSON.stringify(manifest, (key, value: unknown) =>
        key === "riskgate-source" ? undefined : value,
      ),
    ) as object;
    expect(packed).not.toEqual(manifest);
    const { typesVersions: _types, ...others } = hooks.beforePacking(manifest) as Partial<Manifest>;
    expect(others).toEqual(packed);
  });

  it.each(packages)(
    "packs $name with types of its subpaths for compilers that do not read exports",
    ({ manifest, entries }) => {
      const subpaths = entries.map(({ name }) => name).filter((name) => !OUTSIDE.has(name));
      const { typesVersions } = hooks.beforePacking(manifest) as Partial<Manifest>;
      expect(typesVersions?.["*"] ?? {}).toEqual(
        Object.fromEntries(subpaths.map((name) => [name, [`./dist/${name}.d.cts`]])),
      );
    },
  );

  it.each(adapters)(
    `describes $name in ${MAX_README_LINES} lines, beside its guide`,
    ({ path }) => {
      const text = readFileSync(join(path, "README.md"), "utf8");
      expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(MAX_README_LINES);
      expect(text).toContain(`/docs/guides/${basename(path)}.md`);
    },
  );

  it.each(packages)(
    "link from $name to existing pages, also outside the repository",
    ({ path }) => {
      const text = readFileSync(join(path, "README.md"), "utf8");
      const links = [...text.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)/gm)].map(
        ([, inline, reference]) => inline ?? reference ?? "",
      );
      expect(links.filter((link) => !/^(?:https?:|#)/.test(link))).toEqual([]);
      const own = links.filter((link) => link.startsWith(`${REPOSITORY}/`));
      const targets = own.map((link) =>
        link.replace(/^.*\/(?:blob|tree)\/main\//, "").replace(/#.*$/, ""),
      );
      expect(targets.filter((target) => !existsSync(join(root, target)))).toEqual([]);
    },
  );
});
