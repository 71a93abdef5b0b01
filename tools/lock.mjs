import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";

const PAUSE_MS = 50;

/**
 * Runs `work` while no other process runs work under the same lock file. The file contains the id of
 * its process. If that process has ended, the next one takes the lock over.
 *
 * @template T
 * @param {string} lock
 * @param {() => Promise<T>} work
 */
export async function withLock(lock, work) {
  mkdirSync(dirname(lock), { recursive: true });
  while (!acquire(lock)) await setTimeout(PAUSE_MS);
  try {
    return await work();
  } finally {
    rmSync(lock);
  }
}

/** @param {string} lock */
function acquire(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    if (hasEnded(lock)) rmSync(lock, { force: true });
    return false;
  }
}

/** @param {string} lock */
function hasEnded(lock) {
  try {
    // Signal 0 checks that a process exists. An empty file, not yet written, reads as this group.
    process.kill(Number(readFileSync(lock, "utf8")), 0);
    return false;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "ESRCH";
  }
}
