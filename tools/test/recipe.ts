import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, tsc } from "../workspace.mjs";
import { codeBlocks } from "./code-block.js";
import { plainEnvironment, runNode } from "./run-node.js";
import { freePort } from "./free-port.js";

/** A running server from a document. */
export interface Recipe {
  readonly port: number;
  /** Its standard error so far. */
  readonly said: () => string;
  readonly close: () => Promise<void>;
}

/** Replacements for the services around the server. */
export interface RecipeWorld {
  /** Addresses in the document and their replacements. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly settings: NodeJS.ProcessEnv;
}

const PORT = /\b3000\b/g;

/** Time limits in documents that a busy machine would exceed. */
const PATIENCE: readonly (readonly [after: string, option: string])[] = [
  ['apiKey: process.env.RISKGATE_API_KEY ?? "",', "timeoutMs: 60_000,"],
  ["challengeAbove: 60,", "budgetMs: 60_000,"],
];

/**
 * Starts the server of a document that has `mark` in its code. Only addresses and time limits are
 * changed.
 */
export async function startRecipe(
  document: string,
  mark: string,
  { addresses, settings }: RecipeWorld,
): Promise<Recipe> {
  const block = codeBlocks(document).find(({ code }) => code.includes(mark));
  if (block === undefined) throw new Error(`${document} shows no program with ${mark}`);
  const folder = join(block.home, ".riskgate", `recipe-${process.pid}`);
  const file = join(folder, block.file);
  const program = file.replace(/ts$/, "js");
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, block.code);
  const config = join(folder, "tsconfig.json");
  const compilerOptions = { ...COMPILER, rootDir: root };
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [file] }));
  const { status, stdout } = await runNode([tsc, "--project", config], root, 200_000);
  if (status !== 0) throw new Error(stdout);

  const port = await freePort();
  let code = readFileSync(program, "utf8").replace(PORT, String(port));
  for (const [after, option] of PATIENCE) code = code.replace(after, `$& ${option}`);
  for (const [address, instead] of Object.entries(addresses)) {
    if (!code.includes(address)) throw new Error(`${block.title} does not call ${address}`);
    code = code.replaceAll(address, instead);
  }
  writeFileSync(program, code);
  const child = spawn(process.execPath, [program], {
    cwd: block.home,
    env: { ...plainEnvironment(), ...settings },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const close = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  while (!(await isListening(port))) {
    if (child.exitCode === null) continue;
    await close();
    throw new Error(said);
  }
  return { port, said: () => said, close };
}

const COMPILER = {
  target: "es2023",
  module: "nodenext",
  strict: true,
  skipLibCheck: true,
  types: ["node"],
};

async function isListening(port: number): Promise<boolean> {
  try {
    // A server without a host listens on `localhost` in one of the families.
    await (await fetch(`http://localhost:${port}/`)).text();
    return true;
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return false;
  }
}
