import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { runCli } from "../../src/run-cli.js";
import { createTerminal } from "../../src/terminal/terminal.js";

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
  /** When another process is killed, in milliseconds; default 90,000. */
  readonly limitMs?: number;
  /** Whether standard input and output are a terminal; only inside this process. */
  readonly isTerminal?: true;
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
  setting: CommandSetting = {},
): RunningCommand {
  return startNode([MAIN, ...args], setting);
}

/** Start any program of Node in the same way. */
export function startNode(
  args: readonly string[],
  { input, env = {}, cwd, limitMs = 90_000 }: CommandSetting = {},
): RunningCommand {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env["PATH"], ...env },
    cwd,
    timeout: limitMs,
    killSignal: "SIGKILL",
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
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

/**
 * Run a command to its end, inside this process, because another process takes half a second. With a
 * working directory, or variables that Node itself reads at its start, it runs in another process.
 */
export async function runCommand(
  args: readonly string[],
  setting: CommandSetting = {},
): Promise<CommandRun> {
  const { input, env = {}, cwd, isTerminal } = setting;
  const isForNode = Object.keys(env).some((name) => name.startsWith("NODE_"));
  if (cwd !== undefined || isForNode) return startCommand(args, setting).ended;
  const [stdout, stderr] = [collector(), collector()];
  const terminal = createTerminal({
    env: isTerminal ? { NO_COLOR: "1", ...env } : env,
    stdin: Object.assign(Readable.from(input === undefined ? [] : [Buffer.from(input)]), {
      isTTY: isTerminal === true,
    }),
    stdout: Object.assign(stdout.stream, { isTTY: isTerminal === true }),
    stderr: stderr.stream,
    once: () => process,
    exit: () => {
      throw new Error("a command ended the process");
    },
  });
  const status = await runCli(args, terminal);
  return { status, stdout: stdout.text(), stderr: stderr.text() };
}

function collector(): { readonly stream: Writable; readonly text: () => string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

/** Options of a lookup that leaves a service on a busy machine its time. */
export function patientAt(url: string): readonly string[] {
  return ["--url", url, "--timeout-ms", "60000"];
}

/** Parse output with one JSON object a line. */
export function jsonLines<T = Record<string, unknown>>(text: string): T[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}
