import { spawn } from "node:child_process";
import { plainEnvironment } from "../../tools/test/run-node.js";

/** A program of an example, in a separate process. */
export interface Program {
  /** Waits until the output matches; rejects if the program ends before. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Everything printed so far. */
  output(): string;
  /** The exit code, or null if a signal killed it. */
  readonly ended: Promise<number | null>;
  /** Sends a signal and waits for the end; resolves to the exit code, or null if the signal killed it. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

/** Only a hang takes this long, however many tests use one program. */
const LIMIT_MS = 300_000;

/** Starts a script of an example like a user. */
export function startProgram(
  folder: string,
  args: readonly string[],
  settings: NodeJS.ProcessEnv,
  limitMs: number = LIMIT_MS,
): Program {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...plainEnvironment(), ...settings },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: limitMs,
    killSignal: "SIGKILL",
  });
  let output = "";
  const take = (text: string): void => {
    output += text;
  };
  child.stdout.setEncoding("utf8").on("data", take);
  child.stderr.setEncoding("utf8").on("data", take);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));

  return {
    output: () => output,
    ended,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(output);
          if (!match) return;
          child.stdout.off("data", look);
          resolve(match);
        };
        child.stdout.on("data", look);
        void ended.then(() => reject(new Error(`ended without ${String(pattern)}:\n${output}`)));
        look();
      }),
    stop(signal) {
      child.kill(signal);
      return ended;
    },
  };
}
