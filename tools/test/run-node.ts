import { spawn } from "node:child_process";

/** How a child process ended. */
export interface NodeRun {
  /** Exit code; null when the process was killed, as it is after `timeoutMs`. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly elapsedMs: number;
}

/** Run node with these arguments in `cwd`, with the plain environment of a user and `settings`. */
export function runNode(
  args: readonly string[],
  cwd: string,
  timeoutMs = 50_000,
  settings: NodeJS.ProcessEnv = {},
): Promise<NodeRun> {
  return runProgram(process.execPath, args, cwd, timeoutMs, settings);
}

/** The same for another program. */
export function runProgram(
  command: string,
  args: readonly string[],
  cwd: string,
  timeoutMs = 50_000,
  settings: NodeJS.ProcessEnv = {},
): Promise<NodeRun> {
  const started = performance.now();
  const child = spawn(command, args, {
    cwd,
    env: { ...plainEnvironment(), ...settings },
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) =>
      resolve({ status, stdout, stderr, elapsedMs: performance.now() - started }),
    );
  });
}

/** The environment without what the test runner put there for its own processes. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, NODE_ENV: __, VITEST: ___, ...environment } = process.env;
  return environment;
}
