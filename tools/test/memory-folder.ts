import { mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
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
  if (process.env["TMPDIR"] !== undefined || !hasRoom()) return undefined;
  removeLeftovers();
  const folder = mkdtempSync(join(MEMORY, `${PREFIX}${process.pid}-`));
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function hasRoom(): boolean {
  try {
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
