import {
  accessSync,
  constants,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

/** A file system in memory, which most Linux systems have. */
const MEMORY = "/dev/shm";

const PREFIX = "riskgate-test-";

/** The whole suite uses up to three gigabytes. */
const NEEDED_BYTES = 8 * 1024 ** 3;

/**
 * Keeps temporary files in memory if there is room, because the suite waits for the disk about a
 * third of its time. A `TMPDIR` that is set stays.
 */
export default function useMemory(): (() => void) | undefined {
  // Each of the runner's projects calls this, in one process, and the second finds it set.
  if (process.env["TMPDIR"] !== undefined || !isUsable()) return undefined;
  removeLeftovers();
  const folder = mkdtempSync(join(MEMORY, `${PREFIX}${process.pid}-`));
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function isUsable(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    // Tests install programs there, and run them.
    const mount = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .find((one) => one.includes(` ${MEMORY} `));
    if (mount === undefined || mount.includes("noexec")) return false;
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, freemem()) >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

/** A run that was killed left its files in memory. */
function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY).filter((one) => one.startsWith(PREFIX))) {
    if (!isRunning(Number.parseInt(name.slice(PREFIX.length), 10)))
      rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
