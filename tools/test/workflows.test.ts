import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as WorkflowParser from "@actions/workflow-parser";
import { rolldown } from "rolldown";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readJson, root } from "../workspace.mjs";

const FOLDER = ".github/workflows";
const PINNED = /^[a-z-]+\/[a-z-]+@[0-9a-f]{40}$/;

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly uses?: string;
  readonly permissions?: Record<string, string>;
  readonly strategy?: { readonly matrix: Record<string, readonly (string | number)[]> };
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly permissions: Record<string, string>;
  readonly jobs: Record<string, Job>;
}

const textOf = (file: string): string => readFileSync(join(root, FOLDER, file), "utf8");
const files = readdirSync(join(root, FOLDER));
const workflows = files.map((file) => ({ file, workflow: parse(textOf(file)) as Workflow }));
const workflowOf = (file: string) => workflows.find((one) => one.file === file)!.workflow;
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps = [] }) => steps);
const { packageManager, scripts } = readJson(join(root, "package.json")) as {
  packageManager: string;
  scripts: Record<string, string>;
};

/** Returns the errors that GitHub reports for a workflow. */
let faultsOf: (name: string, content: string) => string[];

beforeAll(async () => {
  const { parseWorkflow, NoOperationTraceWriter } = await loadParser();
  faultsOf = (name, content) => {
    const { context } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
    return context.errors.getErrors().map(({ message }) => message);
  };
});

/** Bundles GitHub's workflow parser, because it imports JSON in a way that Node does not support. */
async function loadParser(): Promise<typeof WorkflowParser> {
  const folder = mkdtempSync(join(tmpdir(), "riskgate-workflows-"));
  try {
    const file = join(folder, "parser.mjs");
    const bundle = await rolldown({
      input: "@actions/workflow-parser",
      cwd: root,
      platform: "node",
    });
    await bundle.write({ file, codeSplitting: false });
    return (await import(pathToFileURL(file).href)) as typeof WorkflowParser;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns true if a command only runs a script of this repository. */
function isOurs(command: string): boolean {
  const [, script, file] =
    /^(?:corepack pnpm run ([a-z:]+)(?: tarballs)?|(?:bash|node) ([./a-z-]+)(?: tarballs)?)$/.exec(
      command,
    ) ?? [];
  if (script !== undefined) return Object.hasOwn(scripts, script);
  return file !== undefined && existsSync(join(root, file));
}

describe("workflows", () => {
  it("run checks and releases, build the image, and publish the site", () => {
    expect(files).toEqual(["ci.yml", "image.yml", "release.yml", "site.yml"]);
  });

  it.each(files)("follow GitHub's schema in %s", (file) => {
    const text = textOf(file);
    expect(faultsOf(file, text)).toEqual([]);
    expect(faultsOf(file, text.replace("runs-on:", "run-on:"))).not.toEqual([]);
    expect(faultsOf(file, text.replace("contents: read", "contents: reed"))).not.toEqual([]);
  });

  it.each(workflows)("run only scripts of this repository in $file", ({ workflow }) => {
    const commands = stepsOf(workflow).flatMap(({ run }) => run ?? []);
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.filter((command) => !isOurs(command))).toEqual([]);
  });

  it.each(workflows)("pin every action in $file to a commit", ({ workflow }) => {
    const actions = stepsOf(workflow).flatMap(({ uses }) => uses ?? []);
    expect(actions.filter((action) => !PINNED.test(action))).toEqual([]);
    const called = Object.values(workflow.jobs).flatMap(({ uses }) => uses ?? []);
    expect(called.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it.each(workflows)("have read permission by default in $file", ({ workflow }) => {
    expect(workflow.permissions).toEqual({ contents: "read" });
  });

  it("check on three systems with every major version of Node from 20", () => {
    const { strategy, steps } = workflowOf("ci.yml").jobs["check"]!;
    expect(strategy?.matrix).toEqual({
      os: ["ubuntu-latest", "macos-latest", "windows-latest"],
      node: [20, 22, 24, 26],
    });
    expect(steps?.at(-1)?.run).toBe("bash .ci/run");
  });

  it("build the image and run it, and publish nothing", () => {
    const { jobs } = workflowOf("image.yml");
    expect(stepsOf(workflowOf("image.yml")).at(-1)?.run).toBe("bash .ci/image");
    expect(Object.values(jobs).map(({ permissions }) => permissions)).toEqual([undefined]);
    const script = readFileSync(join(root, ".ci/image"), "utf8");
    for (const file of readdirSync(join(root, "examples/deploy"))) {
      if (file.startsWith("compose")) expect(script).toContain(`--file ${file}`);
    }
    expect(script).not.toMatch(/docker (?:login|push)/);
  });

  it("publish the site in a job that runs no dependency", () => {
    const { build, publish } = workflowOf("site.yml").jobs;
    expect(build).not.toHaveProperty("permissions");
    expect(build?.steps?.flatMap(({ run }) => run ?? [])).toEqual([
      "corepack pnpm run build",
      "corepack pnpm run site",
    ]);
    expect(publish).toMatchObject({
      needs: "build",
      permissions: { pages: "write", "id-token": "write" },
    });
    expect(publish?.steps?.map(({ uses }) => uses?.replace(/@.*/, ""))).toEqual([
      "actions/deploy-pages",
    ]);
  });

  it("publish with an identity instead of a token, in a job that runs no dependency", () => {
    const { jobs } = workflowOf("release.yml");
    expect(jobs["check"]?.uses).toBe(`./${FOLDER}/ci.yml`);
    expect(jobs["publish"]).toMatchObject({
      needs: "build",
      permissions: { contents: "read", "id-token": "write" },
    });
    const commands = jobs["publish"]?.steps?.flatMap(({ run }) => run ?? []);
    expect(commands).toEqual(["node tools/publish.mjs tarballs"]);
    expect(jobs["build"]).toMatchObject({ needs: "check" });
    expect(jobs["build"]).not.toHaveProperty("permissions");
    expect(packageManager).toMatch(/^pnpm@\d+\.\d+\.\d+\+sha512\.[0-9a-f]{128}$/);
    expect(textOf("release.yml")).not.toMatch(/secrets\.|TOKEN/);
  });
});

describe("a command of a workflow", () => {
  it.each([
    ["corepack pnpm run lint", true],
    ["bash .ci/run", true],
    ["corepack pnpm run tarballs tarballs", true],
    ["corepack pnpm run lnit", false],
    ["corepack pnpm run constructor", false],
    ["bash .ci/ran", false],
    ["node tools/publish.mjs tarballs", true],
    ["npx --yes pnpm@10 run lint", false],
    ["bash .ci/run && npm publish", false],
    ["corepack pnpm run lint ${{ github.ref_name }}", false],
  ])("%s: ours is %s", (command, expected) => {
    expect(isOurs(command)).toBe(expected);
  });
});
