import { type FileHandle, open } from "node:fs/promises";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGunzip } from "node:zlib";
import { isRiskGateError } from "@riskgate/core";
import { unreadable } from "../input/read-json.js";
import { LineSplitter, type OnLine } from "./line-splitter.js";

const CHUNK_BYTES = 1024 * 1024;

const GZIP = Buffer.from([0x1f, 0x8b]);

export interface LogFile {
  readonly name: string;
  /** Size on the disk, in bytes. */
  readonly bytes: number;
  /**
   * Reads every line.
   *
   * @param onBytes Receives the number of bytes read so far.
   * @returns False if compressed data is damaged; the lines before the damage were read. A file
   * that ends early, because it is still being written, ends with its last complete line.
   * @throws {RiskGateError} CONFIG_INVALID if the file cannot be read.
   */
  readLines(onLine: OnLine, onBytes: (bytes: number) => void): Promise<boolean>;
  close(): Promise<void>;
}

/** Opens a log. @throws {RiskGateError} CONFIG_INVALID if the file does not exist. */
export async function openLogFile(name: string): Promise<LogFile> {
  const file = await reading(name, () => open(name));
  try {
    const form = await reading(name, () => inspect(file));
    return {
      name,
      bytes: form.bytes,
      readLines: (onLine, onBytes) => reading(name, () => readLines(file, form, onLine, onBytes)),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function inspect(file: FileHandle): Promise<{ bytes: number; isGzip: boolean }> {
  const stats = await file.stat();
  // A pipe has no length, and can be read only once.
  if (!stats.isFile()) return { bytes: 0, isGzip: false };
  const head = Buffer.alloc(GZIP.length);
  await file.read(head, 0, head.length, 0);
  return { bytes: stats.size, isGzip: head.equals(GZIP) };
}

async function readLines(
  file: FileHandle,
  { bytes, isGzip }: { readonly bytes: number; readonly isGzip: boolean },
  onLine: OnLine,
  onBytes: (bytes: number) => void,
): Promise<boolean> {
  const splitter = new LineSplitter(onLine);
  let readBytes = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _, done) {
      onBytes((readBytes += chunk.length));
      done(null, chunk);
    },
  });
  let refusal: { readonly error: Error } | undefined;
  const split = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of chunks) {
      try {
        splitter.push(chunk);
      } catch (error) {
        refusal = { error: error as Error };
        throw error;
      }
    }
    splitter.end();
  };
  const stream = file.createReadStream({
    highWaterMark: CHUNK_BYTES,
    autoClose: false,
    ...(bytes > 0 && { start: 0 }),
  });
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES, finishFlush: constants.Z_SYNC_FLUSH });
  try {
    if (isGzip) await pipeline(stream, counter, gunzip, split);
    else await pipeline(stream, counter, split);
    return true;
  } catch (error) {
    // The streams report the premature end before its cause.
    if (refusal) throw refusal.error;
    if (!codeOf(error).startsWith("Z_")) throw error;
    splitter.end();
    return false;
  } finally {
    gunzip.destroy();
  }
}

async function reading<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    // An error of the caller's code is not an error of the file.
    if (isRiskGateError(cause) || codeOf(cause) === "") throw cause;
    throw unreadable(`the file ${name}`, cause);
  }
}

function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === "string" ? code : "";
}
