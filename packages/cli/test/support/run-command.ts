import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** The built command, as its users run it. */
const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

/** How a command ended. */
export interface CommandRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandSetting {
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A command that still runs. */
export interface RunningCommand {
  readonly child: ChildProcessWithoutNullStreams;
  /** The next line on standard output; rejects when the command ends first. */
  readonly line: () => Promise<string>;
  readonly ended: Promise<CommandRun>;
}

/** Start a command with an environment that holds nothing of ours but what is given. */
export function startCommand(
  args: readonly string[],
  { input, env = {}, cwd }: CommandSetting = {},
): RunningCommand {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env["PATH"], ...env },
    cwd,
    timeout: 25_000,
    killSignal: "SIGKILL",
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output.stderr += chunk.toString()));
  // A command that refuses its options does not read its input.
  child.stdin.on("error", () => {});
  if (input !== undefined) child.stdin.write(input);
  child.stdin.end();
  let linesTaken = 0;
  return {
    child,
    async line() {
      for (;;) {
        const lines = output.stdout.split("\n");
        if (linesTaken < lines.length - 1) return lines.at(linesTaken++)!;
        if (child.stdout.readableEnded) break;
        await Promise.race([once(child.stdout, "data"), once(child.stdout, "end")]);
      }
      throw new Error(`no further line; on standard error: ${output.stderr}`);
    },
    ended: new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (status) => resolve({ status, ...output }));
    }),
  };
}

/** Run a command to its end. */
export function runCommand(args: readonly string[], setting?: CommandSetting): Promise<CommandRun> {
  return startCommand(args, setting).ended;
}

/** Parse output with one JSON object a line. */
export function jsonLines<T = Record<string, unknown>>(text: string): T[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}
