import type { RiskGateError } from "@riskgate/core";
import { readOptions } from "@riskgate/core/adapter";
import { createErrorReport } from "@riskgate/core/internal";
import { readLedgerFile, writeLedgerFile } from "./ledger-file.js";
import {
  createBooks,
  ledgerOver,
  type MemoryLedger,
  type MemoryLedgerOptions,
  readLedgerOptions,
} from "./memory-ledger.js";

export interface FileLedgerOptions extends MemoryLedgerOptions {
  /** Path of the file, created by the first save. Only one process may use it at a time. */
  readonly path: string;
  /** How often changes are saved, in milliseconds; default 60,000. */
  readonly saveEveryMs?: number;
  /** Receives errors of background saves; the next one retries. */
  readonly onError?: (error: RiskGateError) => void;
}

export interface FileLedger extends MemoryLedger {
  /** Saves changes. @throws {RiskGateError} STORE_FAILED; the file is then unchanged. */
  save(): Promise<void>;
  /** Saves changes and stops saving. @throws {RiskGateError} STORE_FAILED */
  close(): Promise<void>;
}

/**
 * Opens a ledger that is stored in a file. The file is read once, and replaced every `saveEveryMs`
 * and on `close()` if there are changes: a killed process loses the changes since the last save.
 * The file has at most as many entries as the ledger, about 100 bytes each.
 * @throws {RiskGateError} CONFIG_INVALID for an invalid option, and for a file that is damaged, or
 * was written with another `ipv6Prefix` or other `providerRules`.
 */
export async function openFileLedger(options: FileLedgerOptions): Promise<FileLedger> {
  const settings = readOptions("openFileLedger", options, (reader) => ({
    path: reader.string("path") || reader.refuse("path", "the path of a file", undefined),
    saveEveryMs: reader.durationMs("saveEveryMs", 60_000),
    report: createErrorReport(reader.function<(error: RiskGateError) => void>("onError")),
    ledger: readLedgerOptions(reader),
  }));
  const { path, saveEveryMs, report } = settings;
  const books = createBooks(settings.ledger);
  await readLedgerFile(path, books, settings.ledger);
  const ledger = ledgerOver(books, settings.ledger);
  let isChanged = false;
  let saving: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    if (!isChanged) return;
    isChanged = false;
    try {
      await writeLedgerFile(path, books, settings.ledger);
    } catch (error) {
      isChanged = true;
      throw error;
    }
  };
  const save = (): Promise<void> => {
    // Serialized, because concurrent saves would write the same temporary file.
    const next = saving.then(write);
    saving = next.catch(() => {});
    return next;
  };
  const timer = setInterval(() => void save().catch(report), saveEveryMs).unref();

  const change = <Result>(make: () => Result): Result => {
    isChanged = true;
    return make();
  };
  return {
    ...ledger,
    record: (event) => change(() => ledger.record(event)),
    replay: (events) => change(() => ledger.replay(events)),
    erase: (subject) => change(() => ledger.erase(subject)),
    save,
    async close() {
      clearInterval(timer);
      await save();
    },
  };
}
