import { createHash } from "node:crypto";
import { lutimes, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { RiskGateError } from "@riskgate/core";
import { makeDirectory, replaceFile } from "@riskgate/core/internal";

export interface FeedRecord {
  /** SHA-256 of the list in hex: a record without its list is worthless. */
  readonly sha256: string;
  /** SHA-256 of the URL in hex, because validators are valid for their own URL only. */
  readonly urlSha256: string;
  readonly etag?: string;
  readonly lastModified?: string;
  /** When this list was received, in Unix milliseconds. */
  readonly fetchedAtMs: number;
  /** When its server last confirmed that it is current, in Unix milliseconds. */
  readonly checkedAtMs: number;
  readonly entries: number;
}

/** The last good copy of a list on disk: `<name>.list`, and `<name>.json` beside it. */
export class FeedCopy {
  readonly path: string;
  readonly #recordPath: string;

  constructor(dir: string, name: string) {
    this.path = join(dir, `${name}.list`);
    this.#recordPath = join(dir, `${name}.json`);
  }

  /** Returns the copy's record; undefined if it is missing or belongs to a different list. */
  async record(): Promise<FeedRecord | undefined> {
    try {
      const record: unknown = JSON.parse(await readFile(this.#recordPath, "utf8"));
      const isOfCopy = isRecord(record) && record.sha256 === sha256(await readFile(this.path));
      return isOfCopy ? record : undefined;
    } catch {
      // The next download repairs any damage to the files.
      return undefined;
    }
  }

  /** Reads the list; call {@link record} first to check that it is intact. */
  list(): Promise<Buffer> {
    return readFile(this.path);
  }

  /**
   * Replaces the copy atomically: readers find either the old list or the new, even after a crash.
   *
   * @throws {RiskGateError} STORE_FAILED; the old list then remains.
   */
  async replace(body: Buffer, record: FeedRecord): Promise<void> {
    await stored(async () => {
      await makeDirectory(dirname(this.path));
      await replaceFile(this.path, body);
    });
    // A crash before this leaves a record for a different list, which is ignored.
    await this.confirm(record);
  }

  /** Records that the copy is current. @throws {RiskGateError} STORE_FAILED */
  async confirm(record: FeedRecord): Promise<void> {
    await stored(async () => {
      const at = new Date(record.checkedAtMs);
      // Of a link in place of the copy, not of the file that it leads to.
      await lutimes(this.path, at, at);
      await replaceFile(this.#recordPath, Buffer.from(`${JSON.stringify(record, null, 2)}\n`));
    });
  }
}

export function sha256(data: Buffer | string): string {
  return createHash("sha256").update(data).digest("hex");
}

async function stored(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const reason = code === "ENOSPC" ? "the disk is full" : (code ?? "unknown reason");
    throw new RiskGateError("STORE_FAILED", `the list cannot be written: ${reason}`, {
      cause,
      hint: "Free space in the directory of the feeds, or grant access to it",
    });
  }
}

function isRecord(value: unknown): value is FeedRecord {
  if (typeof value !== "object" || value === null) return false;
  const { urlSha256, etag, lastModified, fetchedAtMs, checkedAtMs, entries } = value as Partial<
    Record<keyof FeedRecord, unknown>
  >;
  return (
    typeof urlSha256 === "string" &&
    [etag, lastModified].every((text) => text === undefined || typeof text === "string") &&
    [fetchedAtMs, checkedAtMs, entries].every((number) => Number.isFinite(number))
  );
}
