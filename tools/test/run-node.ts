import { spawn } from "node:child_process";

/** The result of a child process. */
export interface NodeRun {
  /** Exit code; null if the process was killed, for example after `timeoutMs`. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly elapsedMs: number;
}

/** Runs Node with these arguments in `cwd`, with a user's environment and `settings`. */
export function runNode(
  args: readonly string[],
  cwd: string,
  timeoutMs = 50_000,
  settings: NodeJS.ProcessEnv = {},
): Promise<NodeRun> {
  return runProgram(process.execPath, args, cwd, timeoutMs, settings);
}

/** Runs another program in the same way. */
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

/** Variables of the test runner, and of the package manager's script that it runs in. */
const FOREIGN = /^(?:NODE_OPTIONS|NODE_ENV|VITEST|INIT_CWD|p?npm_.*)$/i;

/** Returns the environment of a user's shell. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN.test(name)));
}
