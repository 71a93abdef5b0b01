import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../workspace.mjs";
import { codeBlocks } from "../code-block.js";
import { freePort } from "../free-port.js";
import { packed } from "../packed.js";
import { plainEnvironment, runProgram } from "../run-node.js";

const MINUTE = 60_000;
/** Errors of npm and pnpm without reliable access to the registry. */
const OFFLINE =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|META_FETCH_FAIL|network/;
const MANAGERS = [
  { name: "npm", command: ["npm", "install", "--no-audit", "--no-fund", "--prefer-offline"] },
  { name: "pnpm", command: ["npx", "--yes", "pnpm@10", "install", "--prefer-offline"] },
] as const;

const readme = readFileSync(join(root, "README.md"), "utf8");
const samples = codeBlocks("README.md");
/** Exactly what a reader installs. */
const installed = /^npm install ([^\n#]+)/m.exec(readme)![1]!.trim().split(" ");
/** What a reader types, with the answer that the document shows. */
const shown = [...readme.matchAll(/^\$ (curl .*)\n(.*)$/gm)].map(([, command, answer]) => ({
  command: command!,
  answer: answer!,
}));

let folder: string;
let tarballs: ReadonlyMap<string, string>;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "riskgate-readme-")));
  tarballs = await packed(folder);
}, 5 * MINUTE);
afterAll(() => rmSync(folder, { recursive: true, force: true }), 5 * MINUTE);

it("README.md has two samples, an install line and answers", () => {
  expect(samples).toHaveLength(2);
  expect(installed).toContain("@riskgate/express");
  expect(shown).toHaveLength(3);
});

describe.each(MANAGERS)("a project of $name with the install line of README.md", (manager) => {
  let isOffline = false;

  beforeAll(async () => {
    isOffline = !(await install(manager));
  }, 5 * MINUTE);

  it.for(samples)("runs $title", { timeout: 2 * MINUTE }, async ({ title, code }, { skip }) => {
    skip(isOffline, "the registry cannot be reached");
    const port = await freePort();
    const here = (text: string): string => text.replaceAll("3000", String(port));
    const program = `sample-${title.replace(/\D/g, "")}.mjs`;
    writeFileSync(join(folder, manager.name, program), here(code));
    const server = spawn(process.execPath, [program], {
      cwd: join(folder, manager.name),
      env: plainEnvironment(),
      stdio: ["ignore", "inherit", "pipe"],
    });
    const ended = new Promise((resolve) => server.once("close", resolve));
    let stderr = "";
    server.stderr.on("data", (text: Buffer) => (stderr += text.toString()));
    try {
      const isFirst = title === samples[0]?.title;
      for (const { command, answer } of isFirst ? shown : []) {
        const line = `${here(command)} --silent --retry 20 --retry-connrefused`;
        const { stdout } = await runProgram("bash", ["-c", line], folder);
        expect(withoutId(stdout), line).toBe(withoutId(answer));
      }
      const reply = await ask(`http://127.0.0.1:${port}/signup`, () => server.exitCode === null);
      expect(reply?.status, stderr).toBe(201);
      expect(stderr).toBe("");
    } finally {
      server.kill("SIGKILL");
      await ended;
    }
  });
});

/** Installs a project with the packages of the install line alone; false without the registry. */
async function install({
  name,
  command: [command, ...args],
}: (typeof MANAGERS)[number]): Promise<boolean> {
  const path = join(folder, name);
  mkdirSync(path);
  const dependencies = Object.fromEntries(
    installed.map((one) => [one, tarballs.get(one) ?? "latest"]),
  );
  // The registry has no version of ours yet, so dependencies between our packages are tarballs too.
  const overrides = Object.fromEntries(
    [...tarballs].filter(([one]) => name === "pnpm" || dependencies[one] === undefined),
  );
  const manifest = name === "npm" ? { overrides } : { pnpm: { overrides } };
  writeFileSync(
    join(path, "package.json"),
    JSON.stringify({ private: true, dependencies, ...manifest }),
  );
  const { status, stdout, stderr } = await runProgram(command, args, path, 4 * MINUTE);
  // Null: still downloading when its time was up.
  if (status === null || (status !== 0 && OFFLINE.test(stdout + stderr))) return false;
  if (status !== 0) throw new Error(`${name} install: exit code ${status}\n${stdout}${stderr}`);
  return true;
}

/** An answer without the id that differs from decision to decision. */
function withoutId(answer: string): string {
  return answer.replace(/"decisionId":"[\w-]+"/, '"decisionId":"..."');
}

/** Signs up, once the server listens; undefined if it has ended. */
async function ask(url: string, isAlive: () => boolean): Promise<Response | undefined> {
  while (isAlive()) {
    try {
      return await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"email":"ann@example.com"}',
      });
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  return undefined;
}
