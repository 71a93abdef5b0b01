import { chmodSync, lstatSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { isRiskGateError, RiskGateError } from "@riskgate/core";

/** A socket address has 104 bytes on macOS and 108 on Linux, with a zero at the end. */
const MAX_PATH_BYTES = 103;

/** Returns a socket's URL, which a command takes as `--admin-url`. */
export function socketUrl(path: string): string {
  return pathToFileURL(path).href.replace("file://", "unix:");
}

/**
 * Listens on a Unix socket that only this account can connect to. A socket that a killed process
 * has left is replaced.
 *
 * @returns Removes the socket, unless another process has replaced it.
 * @throws {RiskGateError} CONFIG_INVALID if the path is in use, or no socket can be created there.
 */
export async function listenOnSocket(
  listen: (path: string) => Promise<unknown>,
  path: string,
): Promise<() => void> {
  let scratch: string | undefined;
  try {
    await refuseTaken(path);
    // Private, so nobody can connect before the socket is.
    scratch = mkdtempSync(`${dirname(path)}${sep}.`);
    const bound = join(scratch, "s");
    refuseLong(path, bound);
    await listen(bound);
    chmodSync(bound, 0o600);
    renameSync(bound, path);
  } catch (error) {
    throw isRiskGateError(error) ? error : cannotListen(path, error);
  } finally {
    if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true });
  }
  const { dev, ino } = lstatSync(path);
  return () => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.dev === dev && found.ino === ino) rmSync(path, { force: true });
  };
}

async function refuseTaken(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return;
  const problem = found.isSocket() ? await listenerAt(path) : "it is not a socket";
  if (problem === undefined) return;
  throw new RiskGateError("CONFIG_INVALID", `cannot listen on ${path}: ${problem}`, {
    hint: "Stop the process that uses this path, or choose another path",
  });
}

/** Returns undefined if no process listens on a socket. */
function listenerAt(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve("another process listens on it");
    });
    socket.once("error", ({ code, message }: NodeJS.ErrnoException) =>
      resolve(code === "ECONNREFUSED" || code === "ENOENT" ? undefined : (code ?? message)),
    );
  });
}

function refuseLong(...paths: readonly [path: string, bound: string]): void {
  const bytes = Math.max(...paths.map((path) => Buffer.byteLength(path)));
  if (bytes <= MAX_PATH_BYTES) return;
  throw new RiskGateError("CONFIG_INVALID", `cannot listen on ${paths[0]}: the path is too long`, {
    hint: `Choose a path that is ${bytes - MAX_PATH_BYTES} bytes shorter`,
  });
}

function cannotListen(path: string, cause: unknown): RiskGateError {
  const { code, message } = cause as NodeJS.ErrnoException;
  return new RiskGateError("CONFIG_INVALID", `cannot listen on ${path}: ${code ?? message}`, {
    cause,
    hint: "Choose a path in a directory that exists, and to which only this account can write",
  });
}
