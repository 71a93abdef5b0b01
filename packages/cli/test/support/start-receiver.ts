import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** Folder of the receivers in other languages. */
const RECEIVERS = fileURLToPath(new URL("../receivers/", import.meta.url));

/** With what follows: a line may come in two pieces. */
const ADDRESS = /(http:\/\/127\.0\.0\.1:\d+)\D/;

/**
 * Run a receiver in another language for the length of the test. It prints where it listens.
 *
 * @returns Its address; undefined where the program is not installed.
 */
export function startReceiver(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  const child = spawn(program, args, {
    cwd: RECEIVERS,
    env: { PATH: process.env["PATH"], PYTHONDONTWRITEBYTECODE: "1", ...env },
  });
  const gone = new Promise<void>((resolve) => void child.once("close", () => resolve()));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await gone;
  });
  return new Promise((resolve, reject) => {
    let printed = "";
    const look = (chunk: Buffer): void => {
      printed = (printed + chunk.toString()).slice(-10_000);
      const address = ADDRESS.exec(printed)?.[1];
      if (address !== undefined) resolve(`${address}/webhooks/security`);
    };
    // Both are read to the end: a program that writes into a full pipe waits.
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") resolve(undefined);
      else reject(error);
    });
    child.once("close", () => reject(new Error(`${program} does not listen: ${printed}`)));
  });
}
