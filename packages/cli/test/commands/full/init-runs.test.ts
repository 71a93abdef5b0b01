import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runNode } from "../../../../../tools/test/run-node.js";
import { FRAMEWORKS } from "../../../src/init/templates.js";
import { initialise, makeProject, startApplication } from "../../support/application.js";
import { describeIntegration } from "../../support/describe-integration.js";
import { scratchDirectory } from "../../support/scratch.js";

const ROOT = fileURLToPath(new URL("../../../../..", import.meta.url));
const scratch = scratchDirectory();

describeIntegration(
  FRAMEWORKS.filter((name) => !["express", "fastify", "koa"].includes(name)),
  "module",
);
describeIntegration(FRAMEWORKS, "commonjs");

describe("what riskgate init writes for an engine", () => {
  it.for(["module", "commonjs"] as const)("scores without a service, as %s", async (form) => {
    const directory = join(scratch.path, `engine-${form}`);
    mkdirSync(directory);
    makeProject(directory, "express", form);
    const init = await initialise(directory, ["--lookup", "engine", "--write"]);
    const url = await startApplication(directory, init, form);
    const signUp = async (email: string) => {
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ email });
      return (await fetch(`${url}/signup`, { method: "POST", headers, body })).status;
    };
    expect(await signUp("ada@example.com")).toBe(201);
    expect(await signUp("<script>alert(1)</script>@example.com")).toBe(403);
  });
});

describe("what riskgate init writes in TypeScript", () => {
  it("compiles, for every framework, form and lookup", async () => {
    const directory = join(scratch.path, "typed");
    for (const framework of FRAMEWORKS) {
      for (const form of ["ts-module", "ts-commonjs"] as const) {
        for (const lookup of ["engine", "service"]) {
          const project = join(directory, `${framework}-${form}-${lookup}`);
          mkdirSync(project, { recursive: true });
          makeProject(project, framework, form);
          const args = ["--lookup", lookup, "--framework", framework, "--write"];
          const { integration } = await initialise(project, args);
          expect(integration.path).toBe("riskgate.ts");
        }
      }
    }
    const config = {
      compilerOptions: {
        module: "nodenext",
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
      include: ["*/riskgate.ts"],
    };
    const file = join(directory, "tsconfig.json");
    writeFileSync(file, JSON.stringify(config));
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    const { status, stdout } = await runNode([tsc, "--project", file], directory);
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  });
});
