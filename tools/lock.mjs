import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const PAUSE_MS = 50;

/**
 * Run `work` while no other process runs work under the same lock file.
 *
 * The file holds the id of its owner; the lock of a process that is gone is taken over.
 *
 * @template T
 * @param {string} lock
 * @param {() => Promise<T>} work
 */
export async function withLock(lock, work) {
  mkdirSync(dirname(lock), { recursive: true });
  while (!acquire(lock)) {
    if (isStale(lock)) rmSync(lock, { force: true });
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(lock);
  }
}

/** @param {string} lock */
function acquire(lock) {
  const own = `${lock}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    // A link is made by one process only and has its content at once: no lock is ever ownerless.
    linkSync(own, lock);
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    return false;
  } finally {
    rmSync(own);
  }
}

/** @param {string} lock */
function isStale(lock) {
  try {
    // Signal 0 asks whether the process is there.
    process.kill(Number(readFileSync(lock, "utf8")), 0);
    return false;
  } catch (error) {
    return codeOf(error) === "ESRCH";
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return /** @type {NodeJS.ErrnoException} */ (error).code;
}
