import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeService } from "@riskgate/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { statesOf } from "../support/findings.js";
import { projectsIn, using } from "../support/project.js";
import { runCommand, startCommand } from "../support/run-command.js";
import { scratchDirectory } from "../support/scratch.js";

const scratch = scratchDirectory();
const project = projectsIn(scratch.path);

const express = using("express");

describe("riskgate init", () => {
  it.each([".env", ".gitignore", "riskgate.ts"])(
    "writes nothing where %s is a symbolic link, also with --force",
    async (name) => {
      const { directory, run, has, read } = project({ "other.txt": "of somebody\n" }, express);
      mkdirSync(join(directory, ".git"));
      writeFileSync(join(directory, "tsconfig.json"), "{}");
      symlinkSync(join(directory, "other.txt"), join(directory, name));
      const { status, stderr } = await run("--lookup engine --write --force");
      expect({ status, stderr }).toMatchObject({
        status: 2,
        stderr: expect.stringContaining(`${name} is a symbolic link`) as string,
      });
      expect(read("other.txt")).toBe("of somebody\n");
      expect([has("riskgate.ts"), has(".env"), has(".gitignore")]).toEqual(
        ["riskgate.ts", ".env", ".gitignore"].map((one) => one === name),
      );
    },
  );

  it.each([
    ["express", ["express", "zod"]],
    ["fastify", ["fastify"]],
    ["koa", ["koa", "@koa/router"]],
    ["hono", ["hono", "wrangler"]],
    ["web", ["wrangler"]],
    ["lambda", ["@types/aws-lambda"]],
    ["express", ["express", "serverless"]],
    ["nest", ["@nestjs/core", "@nestjs/platform-express", "express", "fastify"]],
    ["next", ["next", "react", "react-dom", "hono", "wrangler"]],
  ])("finds %s in a manifest with %s", async (framework, dependencies) => {
    expect(await project({}, using(...dependencies)).init("")).toMatchObject({ framework });
  });

  it.each([
    ["no framework", {}, "", /package.json names no framework.*\n.*--framework: express, fastify/],
    ["two frameworks", using("koa", "express"), "", /more than one framework: express, koa/],
    ["two of whole applications", using("next", "@nestjs/core"), "", /framework: nest, next/],
    ["an unknown framework", express, "--framework expres", /expected one of express/],
    ["an API key that is empty", express, "--api-key-file /dev/null", /expected the API key/],
    [
      "an invalid sandbox file",
      express,
      "--sandbox-file package.json",
      /serve --sandbox --data-dir/,
    ],
  ])("refuses %s with exit code 2", async (_, manifest, args, expected) => {
    const { run, has } = project({}, manifest);
    const { status, stderr } = await run(`--write ${args}`);
    expect(stderr).toMatch(expected);
    expect(status).toBe(2);
    expect(has(".env")).toBe(false);
  });

  it("refuses a directory without a manifest", async () => {
    const { status, stderr } = await runCommand(["init", "--dir", join(scratch.path, "none")]);
    expect(stderr).toMatch(/expected a package.json in .*\n.*--dir/);
    expect(status).toBe(2);
  });

  it.each([
    ["riskgate.ts", "import", { ...express, devDependencies: { typescript: "*" } }, {}],
    ["src/riskgate.ts", "import", express, { "tsconfig.json": "{}", "src/app.ts": "" }],
    ["riskgate.js", "import", { ...express, type: "module" }, {}],
    ["riskgate.mjs", "import", { ...express, main: "server.mjs" }, {}],
    ["riskgate.cjs", "require", express, {}],
  ])("writes %s with %s in a project of that form", async (path, word, manifest, files) => {
    const { init } = project(files, manifest);
    const { integration } = await init("");
    const [file] = integration.files;
    expect(file?.path).toBe(path);
    expect(file?.text).toContain(word);
    expect(integration.use[0]).toContain(word);
  });

  it.each([
    ["pnpm-lock.yaml", "pnpm add"],
    ["../yarn.lock", "yarn add"],
    ["bun.lock", "bun add"],
    ["package-lock.json", "npm install"],
  ])("names the packages that are missing, with %s by %s", async (lockfile, command) => {
    const { init } = project({ [lockfile]: "" }, using("express", "@riskgate/engine"));
    expect((await init("")).install).toBe(`${command} @riskgate/express`);
  });

  it("shows everything except secrets, and writes nothing", async () => {
    const { run, has } = project({}, express);
    const env = { RISKGATE_API_KEY: "key-1", RISKGATE_SIGNING_SECRET: "secret-1" };
    const { status, stdout } = await run("--lookup service", env);
    expect(status).toBe(0);
    expect(stdout).toContain("createRiskClient");
    expect(stdout).toContain("RISKGATE_API_KEY=********");
    expect(stdout).toContain("Fill in RISKGATE_BASE_URL in .env");
    expect(stdout).toContain('app.post("/webhooks/security", webhook)');
    expect(stdout).not.toMatch(/key-1|secret-1/);
    expect([has("riskgate.cjs"), has(".env")]).toEqual([false, false]);
  });

  it("replaces no file without --force, and writes nothing else then", async () => {
    const { run, read, has } = project({ "riskgate.cjs": "mine" }, express);
    const refused = await run("--write");
    expect(refused.status).toBe(2);
    expect(refused.stderr).toMatch(/riskgate.cjs already exists.*\n.*--force/);
    expect([read("riskgate.cjs"), has(".env")]).toEqual(["mine", false]);
    expect((await run("--write --force")).status).toBe(0);
    expect(read("riskgate.cjs")).toContain("createEngine");
  });

  it("keeps the variables of .env without --force, and fills in empty ones", async () => {
    const before = "PORT=3000\nexport RISKGATE_API_KEY=old\nRISKGATE_SIGNING_SECRET=";
    const { init, read, modeOf } = project({ ".env": before }, express);
    const env = { RISKGATE_SIGNING_SECRET: "it's #1" };
    const args = "--lookup service --write --api-key-file";
    const key = scratch.file("key.txt", "new\n");
    const first = await init(`${args} ${key}`, env);
    expect(first.env).toEqual({
      set: ["RISKGATE_BASE_URL", "RISKGATE_SIGNING_SECRET"],
      kept: ["RISKGATE_API_KEY"],
    });
    expect(read(".env")).toBe(
      'PORT=3000\nexport RISKGATE_API_KEY=old\nRISKGATE_BASE_URL=\nRISKGATE_SIGNING_SECRET="it\'s #1"\n',
    );
    expect(modeOf(".env")).toBe(0o600);
    expect((await init(`${args} ${key} --force`, env)).env.kept).toEqual([]);
    expect(read(".env")).toContain("\nRISKGATE_API_KEY=new\n");
    expect(read(".env")).not.toContain("old");
  });

  it("asks the service that .env names, when it runs again", async () => {
    const { run, init } = project({}, express);
    const service = await createFakeService();
    onTestFinished(() => service.close());
    const env = { RISKGATE_API_KEY: service.apiKey };
    await init(`--base-url ${service.baseUrl} --write`, env);
    const again = await init("");
    expect(again.lookup).toBe("service");
    expect(again.findings.map(({ state }) => state)).not.toContain("fault");
    const wrong = await run(
      `--base-url ${service.baseUrl} --api-key-file ${scratch.file("wrong", "x")}`,
    );
    expect(wrong.status).toBe(1);
    expect(wrong.stdout).toContain("FAULT    API key is accepted");
  });

  it.each([
    ["a repository", { "../.git/HEAD": "" }, ".env\n"],
    ["a repository with rules", { "../.git/HEAD": "", ".gitignore": "dist" }, "dist\n.env\n"],
    ["a rule for others", { ".git/HEAD": "", ".gitignore": ".env.*\n" }, ".env.*\n.env\n"],
    ["a rule for it", { ".git/HEAD": "", ".gitignore": "/.env*\ndist\n" }, "/.env*\ndist\n"],
    ["no repository yet", {}, ".env\n"],
  ])("keeps .env out of git, with %s", async (_, files, expected) => {
    const { run, read } = project(files, express);
    await run("--write");
    expect(read(".gitignore")).toBe(expected);
  });

  it.each([
    ["is tracked", "", ["add", "--force", ".env"]],
    ["is no longer ignored", ".env\n!.env\n", ["status"]],
  ])("writes no secret into a .env that %s", async (_, ignored, git) => {
    const { directory, run, has, read } = project(
      { ".env": "A=1\n", ".gitignore": ignored },
      express,
    );
    for (const args of [["init", "--quiet"], git]) execFileSync("git", args, { cwd: directory });
    const { status, stderr } = await run("--lookup engine --write --yes");
    expect({ status, stderr }).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("git tracks .env") as string,
    });
    expect([has("riskgate.cjs"), read(".env")]).toEqual([false, "A=1\n"]);
  });

  it.each([".env", ".gitignore", "riskgate.cjs"])(
    "writes nothing if %s is not a file",
    async (name) => {
      const { directory, run } = project({}, express);
      mkdirSync(join(directory, name));
      const { status, stderr } = await run("--lookup engine --write --yes --force");
      expect({ status, stderr }).toMatchObject({
        status: 2,
        stderr: expect.stringContaining(`${name} is not a file`) as string,
      });
      expect(readdirSync(directory).toSorted()).toEqual([name, "package.json"].toSorted());
    },
  );

  it("reports a manifest that is not JSON", async () => {
    const { run } = project({ "package.json": "{" });
    expect((await run("")).stderr).toContain("package.json is not a JSON object");
  });

  it("takes URL, keys and secret from a sandbox that runs", async () => {
    const dataDir = join(scratch.path, "data");
    const args = ["serve", "--sandbox", "--data-dir", dataDir, "--port", "0", "--json"];
    const serve = startCommand(args);
    onTestFinished(async () => {
      serve.child.kill("SIGKILL");
      await serve.ended;
    });
    const known = JSON.parse(await serve.line()) as Record<string, string>;
    const [named, found] = [project({}, express), project({}, express)];
    await named.init(`--sandbox-file ${join(dataDir, "sandbox.json")} --write`);
    const { findings } = await found.init("--write", { RISKGATE_DATA_DIR: dataDir });
    expect(statesOf(findings).filter(([, state]) => state !== "ok")).toEqual([]);
    for (const { read } of [named, found]) {
      expect(read(".env")).toBe(
        `RISKGATE_BASE_URL=${known["url"]}\nRISKGATE_API_KEY=${known["apiKey"]}\nRISKGATE_REPORT_KEY=${known["reportKey"]}\nRISKGATE_SIGNING_SECRET=${known["signingSecret"]}\n`,
      );
    }
  });

  it("leaves the URL of a sandbox that does not run to be filled in", async () => {
    const members = { applicationId: "a", apiKey: "k", reportKey: "r", signingSecret: "s" };
    const file = scratch.file("sandbox.json", JSON.stringify(members));
    const { lookup, env } = await project({}, express).init(`--sandbox-file ${file}`);
    expect({ lookup, set: env.set }).toEqual({
      lookup: "service",
      set: [
        "RISKGATE_BASE_URL",
        "RISKGATE_API_KEY",
        "RISKGATE_REPORT_KEY",
        "RISKGATE_SIGNING_SECRET",
      ],
    });
  });

  it("asks for what is missing, and whether to write", async () => {
    const { directory, read } = project({}, {});
    const service = await createFakeService();
    onTestFinished(() => service.close());
    const answers = ["koa", "service", service.baseUrl, service.apiKey, "secret-1", "y"];
    const { status, stdout } = await runCommand(["init", "--dir", directory], {
      input: `${answers.join("\n")}\n`,
      isTerminal: true,
    });
    expect(status).toBe(0);
    expect(stdout).toContain("Wrote riskgate.cjs, .env, .gitignore.");
    expect(read("riskgate.cjs")).toContain("@riskgate/koa");
    expect(read(".env")).toContain("RISKGATE_SIGNING_SECRET=secret-1\n");
  });

  it.each([
    ["the framework", "gin", /expected a framework/],
    ["who scores", "koa\nnobody", /expected engine or service/],
    ["the URL", "koa\nservice\nftp:shop", /must begin with https/],
  ])("refuses an answer that does not say %s", async (_, input, expected) => {
    const { directory } = project({}, {});
    const run = await runCommand(["init", "--dir", directory], { input, isTerminal: true });
    expect(run.stderr).toMatch(expected);
    expect(run.status).toBe(2);
  });

  it("makes a secret where an engine scores, and writes nothing for no", async () => {
    const { directory, has } = project({}, express);
    const setting = { input: "\n\n", isTerminal: true } as const;
    const { stdout } = await runCommand(["init", "--dir", directory], setting);
    expect(stdout).toContain("Nothing was written");
    expect(has("riskgate.cjs")).toBe(false);
    const [one, other] = [project({}, express), project({}, express)];
    await one.init("--write");
    await other.init("--write");
    expect(one.read(".env")).toMatch(/^RISKGATE_SIGNING_SECRET=[0-9a-f]{48}\n$/);
    expect(one.read(".env")).not.toBe(other.read(".env"));
  });

  it("passes the engine's promise to the gate in CommonJS, without a wrapper", async () => {
    const { init } = project({}, express);
    const { integration } = await init("--lookup engine");
    expect(integration.files[0]?.text).toContain("\nconst lookup = createEngine();\n");
  });

  it("writes the report key of a sandbox, and shows none in its absence", async () => {
    const sandbox = { applicationId: "a", apiKey: "k", reportKey: "rgr_1", signingSecret: "s" };
    const file = scratch.file("sandbox.json", JSON.stringify(sandbox));
    const { init, read } = project({}, express);
    await init(`--lookup service --write --sandbox-file ${file}`);
    expect(read(".env")).toContain("\nRISKGATE_REPORT_KEY=rgr_1\n");
    const other = project({}, express);
    await other.init("--lookup service --write");
    expect(other.read(".env")).not.toContain("REPORT");
  });
});
