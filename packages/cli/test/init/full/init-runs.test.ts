import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runNode } from "../../../../../tools/test/run-node.js";
import { FRAMEWORKS } from "../../../src/init/templates.js";
import { initialise, makeProject, ROOT } from "../../support/application.js";
import { describeEngine, describeIntegration } from "../../support/describe-integration.js";
import { scratchDirectory } from "../../support/scratch.js";

const scratch = scratchDirectory();

const unbundled = FRAMEWORKS.filter((name) => name !== "next");
const unbuilt = unbundled.filter((name) => name !== "nest");
describeIntegration(
  unbuilt.filter((name) => !["express", "fastify", "koa"].includes(name)),
  "module",
);
describeIntegration(unbuilt, "commonjs");
describeIntegration(["nest"], "ts-module");
describeIntegration(["nest"], "ts-commonjs");

describeEngine("express", "module");
describeEngine("express", "commonjs");
describeEngine("nest", "ts-module");
describeEngine("nest", "ts-commonjs");

describe("what riskgate init writes in TypeScript", () => {
  it.for([
    ["Node", unbundled, "nodenext", "nodenext"],
    ["a bundler", ["next"], "esnext", "bundler"],
  ] as const)("compiles as %s reads it, for every form and lookup", async (row) => {
    const [name, frameworks, module, moduleResolution] = row;
    const directory = join(scratch.path, name);
    for (const framework of frameworks) {
      for (const form of ["ts-module", "ts-commonjs"] as const) {
        for (const lookup of ["engine", "service"]) {
          const project = join(directory, `${framework}-${form}-${lookup}`);
          mkdirSync(project, { recursive: true });
          makeProject(project, framework, form);
          const args = ["--lookup", lookup, "--framework", framework, "--write"];
          expect((await initialise(project, args)).files).toContain("riskgate.ts");
        }
      }
    }
    const config = {
      compilerOptions: {
        module,
        moduleResolution,
        target: "es2023",
        strict: true,
        noEmit: true,
        noUnusedLocals: true,
        verbatimModuleSyntax: false,
        noPropertyAccessFromIndexSignature: true,
        skipLibCheck: true,
        typeRoots: [join(ROOT, "node_modules/@types")],
        types: ["node"],
      },
      include: ["*/riskgate.ts", "*/app/**/*.ts"],
    };
    const file = join(directory, "tsconfig.json");
    writeFileSync(file, JSON.stringify(config));
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    const { status, stdout } = await runNode([tsc, "--project", file], directory);
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  });
});
