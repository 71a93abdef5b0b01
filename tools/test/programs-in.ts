import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root, tsc } from "../workspace.mjs";
import { type CodeBlock, codeBlocks } from "./code-block.js";
import { plainEnvironment, runNode } from "./run-node.js";
import { freePort } from "./free-port.js";

const PORT = /\b3000\b/g;
const LISTEN_MS = 30_000;
const END_MS = 50_000;

const isServer = ({ code }: CodeBlock) => code.includes("listen(");

/**
 * Tests the programs in documents. Every `ts` and `js` block is a complete program. It is compiled
 * against the built packages and run with two changes: a free port replaces 3000, and every
 * `process.env.NAME` that it reads is set. A program that listens must answer one request; any other
 * must end.
 */
export function testPrograms(documents: readonly string[]): void {
  const blocks = documents.flatMap((document) => codeBlocks(document));
  // One folder per process, so that parallel runs do not collide.
  const scratch = join(".riskgate", `readme-${process.pid}`);
  const config = join(root, `${scratch}.json`);
  const sourceOf = ({ home, file }: CodeBlock) => join(home, scratch, file);
  const programOf = (block: CodeBlock) => resolve(root, sourceOf(block).replace(/ts$/, "js"));

  beforeAll(() => {
    mkdirSync(join(root, ".riskgate"), { recursive: true });
    for (const block of blocks) {
      mkdirSync(join(block.home, scratch), { recursive: true });
      // A program without imports would be a script, which cannot use `await` at the top level.
      const module = block.file.endsWith(".mts") ? "\nexport {};\n" : "";
      writeFileSync(sourceOf(block), block.code + module);
    }
  });

  afterAll(() => {
    rmSync(config, { force: true });
    for (const { home } of blocks) rmSync(join(home, scratch), { recursive: true, force: true });
  });

  describe("documents", () => {
    it("has programs that compile", async () => {
      writeFileSync(
        config,
        JSON.stringify({
          compilerOptions: {
            target: "es2023",
            module: "nodenext",
            strict: true,
            // `require` has no types in a CommonJS program, so its callbacks have none either.
            noImplicitAny: false,
            skipLibCheck: true,
            types: ["node"],
            experimentalDecorators: true,
            rootDir: root,
          },
          files: blocks.map(sourceOf),
        }),
      );
      const { status, stdout } = await runNode([tsc, "--project", config], root, 200_000);
      expect(stdout).toBe("");
      expect(status).toBe(0);
    }, 200_000);

    it.each(blocks.filter((block) => !isServer(block)))(
      "have in $title a program that runs to its end",
      async (block) => {
        const { status, stderr } = await runNode(
          [programOf(block)],
          join(block.home, scratch),
          END_MS,
          settingsOf(block),
        );
        expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      },
    );

    it.each(blocks.filter(isServer))("have in $title a server that answers", async (block) => {
      const port = await freePort();
      const program = programOf(block);
      writeFileSync(program, readFileSync(program, "utf8").replace(PORT, String(port)));
      const child = spawn(process.execPath, [program], {
        cwd: join(block.home, scratch),
        env: { ...plainEnvironment(), ...settingsOf(block) },
        stdio: ["ignore", "ignore", "pipe"],
      });
      const ended = new Promise((resolve) => child.once("close", resolve));
      let stderr = "";
      child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
      try {
        const status = await statusOf(port, () => child.exitCode === null);
        expect(status, stderr).toBeGreaterThanOrEqual(200);
        expect(stderr).toBe("");
      } finally {
        child.kill("SIGKILL");
        await ended;
      }
    });
  });
}

/** Returns a value for each environment variable of a program. Port 9 never answers. */
function settingsOf({ code }: CodeBlock): NodeJS.ProcessEnv {
  const names = [...code.matchAll(/process\.env\.(\w+)/g)].map((match) => match[1] ?? "");
  const valueOf = (name: string) =>
    name.endsWith("URL") ? "http://127.0.0.1:9" : "value-0123456789abcdef-0123456789abcdef";
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]));
}

/** Resolves to the status of the first answer on a port, or 0 after a timeout. */
async function statusOf(port: number, isAlive: () => boolean): Promise<number> {
  const end = performance.now() + LISTEN_MS;
  while (isAlive() && performance.now() < end) {
    try {
      // A server without a host listens on `localhost` in one of the families.
      return (await fetch(`http://localhost:${port}/`)).status;
    } catch {
      // Not listening yet.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  return 0;
}
