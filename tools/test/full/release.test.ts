import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Manifest, projectsIn, readJson, root } from "../../workspace.mjs";
import { runProgram } from "../run-node.js";

const MINUTE = 60_000;
const packages = projectsIn("packages").filter(({ published }) => published);
const changesets = createRequire(import.meta.url).resolve("@changesets/cli/bin.js");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "riskgate-release-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (file: string, text: string) => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
};
const copy = (...files: string[]) => {
  for (const file of files) cpSync(join(root, file), join(folder, file));
};
const manifestOf = (name: string) =>
  readJson(join(folder, "packages", name, "package.json")) as Manifest;

/** Runs a command of changesets with pnpm in the PATH, as in a script of the repository. */
const run = (command: string, settings: Readonly<Record<string, string>> = {}) => {
  // Set here, because npx itself must not see the settings.
  write(
    "run.mjs",
    `Object.assign(process.env, ${JSON.stringify(settings)});
     process.argv.splice(2, 0, ...${JSON.stringify(command.split(" "))});
     await import(${JSON.stringify(pathToFileURL(changesets).href)});`,
  );
  const args = ["--yes", "--package=pnpm@10", "--call", "node run.mjs"];
  return runProgram("npx", args, folder, 2 * MINUTE);
};

describe("changeset version", () => {
  beforeEach(() => {
    copy("package.json", "pnpm-workspace.yaml", ".changeset/config.json");
    copy("tools/faults/package.json", "tools/api-types/package.json", "docs/package.json");
    copy("docs/recipes/package.json");
    for (const parent of ["packages", "examples"] as const) {
      copy(...projectsIn(parent).map(({ name }) => `${parent}/${name}/package.json`));
    }
  });
  const versions = () => [...new Set(packages.map(({ name }) => manifestOf(name).version))];

  it("gives all packages the highest version that a changeset asks for", async () => {
    const [before] = versions();
    const [major, minor] = before!.split(".").map(Number) as [number, number];
    write(".changeset/one.md", '---\n"@riskgate/koa": minor\n---\n\nA store.\n');
    write(".changeset/two.md", '---\n"@riskgate/core": patch\n---\n');
    const { status, stderr } = await run("version");
    expect(status, stderr).toBe(0);
    expect(versions()).toEqual([`${major}.${minor + 1}.0`]);
  });

  it("changes nothing when a changeset names no package", async () => {
    const before = versions();
    write(".changeset/one.md", '---\n"@riskgate/kao": minor\n---\n\nA store.\n');
    const { status, stdout, stderr } = await run("version");
    expect(status).toBe(1);
    expect(stdout + stderr).toContain("@riskgate/kao");
    expect(versions()).toEqual(before);
  });
});

describe("changeset publish", () => {
  it("publishes what the registry lacks, without the source condition", async () => {
    const accepted: Manifest[] = [];
    const registry = createServer((request, response) => {
      const { method, url = "" } = request;
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        response.setHeader("content-type", "application/json");
        if (method === "PUT") {
          const { versions } = JSON.parse(Buffer.concat(chunks).toString()) as {
            versions: Record<string, Manifest>;
          };
          accepted.push(...Object.values(versions));
          response.writeHead(201).end("{}");
        } else if (/core/.test(url)) {
          const { version } = manifestOf("core");
          response.end(JSON.stringify({ name: "@riskgate/core", versions: { [version]: {} } }));
        } else response.writeHead(404).end('{"error":"Not found"}');
      });
    });
    await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
    const host = `127.0.0.1:${(registry.address() as AddressInfo).port}/`;

    try {
      copy(".changeset/config.json", "pnpm-workspace.yaml", "tools/pnpmfile.cjs");
      write("package.json", '{ "private": true, "name": "workspace", "version": "0.0.0" }');
      write("pnpm-lock.yaml", "");
      write("user.npmrc", `registry=http://${host}\n//${host}:_authToken=token\n`);
      for (const name of ["core", "koa"]) {
        copy(`packages/${name}/package.json`);
        // Provenance exists in a workflow only.
        const manifest = { ...manifestOf(name), publishConfig: { access: "public" } };
        write(`packages/${name}/package.json`, JSON.stringify(manifest));
      }
      mkdirSync(join(folder, "packages/koa/node_modules/@riskgate"), { recursive: true });
      for (const name of ["core", "testing"]) {
        const link = join(folder, "packages/koa/node_modules/@riskgate", name);
        symlinkSync(join(root, "packages", name), link, "junction");
      }
      const settings = {
        npm_config_registry: `http://${host}`,
        npm_config_userconfig: join(folder, "user.npmrc"),
      };
      const { status, stdout, stderr } = await run("publish --no-git-tag", settings);
      expect(status, stdout + stderr).toBe(0);
    } finally {
      registry.closeAllConnections();
      registry.close();
    }
    const { version } = manifestOf("core");
    expect(accepted).toMatchObject([
      { name: "@riskgate/koa", version, dependencies: { "@riskgate/core": version } },
    ]);
    expect(JSON.stringify(accepted)).not.toMatch(/riskgate-source|devDependencies/);
  });
});
