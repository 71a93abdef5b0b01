import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { makePrivateDirectory } from "../base/make-directory.js";
import { openToAppend } from "../base/no-follow.js";
import type { RecordSink } from "./queued-log.js";

export interface LogFileSettings {
  readonly path: string;
  readonly maxFileBytes: number;
  readonly keepFiles: number;
}

const FILE_MODE = 0o600;

const LINE_BREAK = 10;

/** Lines being written. */
interface Begun {
  readonly lines: readonly string[];
  readonly bytes: Buffer;
  done: number;
}

/**
 * Appends records to a file. It is opened for each batch, so that another program may move or remove
 * it at any time.
 */
export function createLogFile({ path, maxFileBytes, keepFiles }: LogFileSettings): RecordSink {
  let begun: Begun | undefined;
  /** True if this process was the last to write to the file. */
  let isOurs = false;

  const openFile = async () => {
    try {
      return await openToAppend(path, FILE_MODE);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      await makePrivateDirectory(dirname(path));
      return openToAppend(path, FILE_MODE);
    }
  };
  /** Renames a full file: `log` becomes `log.1`, and that `log.2`. */
  const rotate = async (): Promise<void> => {
    await rm(`${path}.${keepFiles}`, { force: true });
    for (let number = keepFiles - 1; number >= 0; number--) {
      const from = number === 0 ? path : `${path}.${number}`;
      if (keepFiles === 0) await rm(from, { force: true });
      else await rename(from, `${path}.${number + 1}`).catch(ignoreMissing);
    }
  };
  const append = async (state: Begun): Promise<"done" | "full"> => {
    const file = await openFile();
    try {
      const { size } = await file.stat();
      const isFull = size > 0 && size + state.bytes.length > maxFileBytes;
      if (isFull && state.done === 0) return "full";
      if (!isOurs && size > 0) {
        const last = Buffer.alloc(1);
        await file.read(last, 0, 1, size - 1);
        // A write that a crash interrupted must not damage the next record too.
        if (last[0] !== LINE_BREAK) await file.write("\n");
      }
      isOurs = true;
      while (state.done < state.bytes.length) {
        state.done += (await file.write(state.bytes, state.done)).bytesWritten;
      }
      return "done";
    } finally {
      await file.close();
    }
  };

  return {
    async write(lines) {
      // After a failure, only the remaining bytes are written: no line is torn or written twice.
      if (begun?.lines !== lines) {
        begun = { lines, bytes: Buffer.from(`${lines.join("\n")}\n`), done: 0 };
      }
      while ((await append(begun)) === "full") {
        await rotate();
        isOurs = false;
      }
      begun = undefined;
    },
  };
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
