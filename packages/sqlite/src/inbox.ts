import { resolve } from "node:path";
import { type Receipt, RiskGateError } from "@riskgate/core";
import type {
  AcceptedDelivery,
  DurableInbox,
  InboxCounts,
  ParkedDelivery,
} from "@riskgate/core/payloads";
import { readOptions } from "@riskgate/core/adapter";
import { createErrorReport, type ErrorHook, limitTime } from "@riskgate/core/internal";
import { type InboxFile, openInboxFile } from "./inbox-file.js";
import { InboxWork, MAX_POSTPONE_MS, retryAfter } from "./inbox-work.js";
import { storeError } from "./store-error.js";
import { StoredDeliveries } from "./stored-deliveries.js";

export interface SqliteInboxOptions {
  /**
   * Directory of the inbox, on a local disk; created if missing. Only one process can use it, and
   * each webhook needs a separate one.
   */
  readonly directory: string;
  /** Number of deliveries handled concurrently; default 10. */
  readonly concurrency?: number;
  /** Maximum number of attempts for an element, including the first; default 5. */
  readonly maxAttempts?: number;
  /** Wait before the second attempt, in milliseconds; doubles with each attempt. Default 1,000. */
  readonly backoffMs?: number;
  /**
   * How long the inbox waits for another process to release the directory, such as one being
   * replaced, in milliseconds; default 10,000. Meanwhile deliveries get a 503.
   */
  readonly lockTimeoutMs?: number;
  /** How long `close` waits for running handlers, in milliseconds; default 8,000. */
  readonly closeTimeoutMs?: number;
  /** Maximum number of parked elements; default 10,000. Beyond it, the oldest is dropped. */
  readonly maxParked?: number;
  /** Receives each store error and each parked element; by default a warning every 10 seconds. */
  readonly onError?: ErrorHook;
}

/** Maximum bytes waiting to be stored; further deliveries are refused meanwhile. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024;

/**
 * Creates an inbox that stores deliveries in a file before they are acknowledged, and handles them
 * in this process, for the option `inbox` of a receiver or webhook route. Each element is handled
 * at least once.
 *
 * `ready` rejects with CONFIG_INVALID if another process holds the directory for longer than
 * `lockTimeoutMs`, and with STORE_FAILED if it cannot be read or written.
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createSqliteInbox(options: SqliteInboxOptions): DurableInbox {
  return new SqliteInbox(readInboxOptions(options));
}

type Process = (delivery: AcceptedDelivery) => Promise<Receipt>;
type Settings = ReturnType<typeof readInboxOptions>;

/** A delivery whose sender is waiting. */
interface Pending {
  readonly delivery: AcceptedDelivery;
  readonly stored: () => void;
  readonly refused: (error: unknown) => void;
}

class SqliteInbox implements DurableInbox {
  readonly #settings: Settings;
  readonly #closing = new AbortController();
  readonly #opened: Promise<InboxFile>;
  #store: StoredDeliveries | undefined;
  #work: InboxWork | undefined;
  #isAttached = false;
  #pending: Pending[] = [];
  #pendingBytes = 0;
  #closed: Promise<void> | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#opened = this.#open();
    // Each caller receives the error.
    this.#opened.catch(() => {});
  }

  async accept(delivery: AcceptedDelivery): Promise<void> {
    const { length } = delivery.body;
    if (this.#pendingBytes + length > MAX_PENDING_BYTES) {
      throw unavailable("too many deliveries are waiting to be stored");
    }
    this.#pendingBytes += length;
    try {
      await this.#stored();
      await new Promise<void>((stored, refused) => {
        this.#pending.push({ delivery, stored, refused });
        // Deliveries that arrive in the same turn of the event loop share one disk sync.
        if (this.#pending.length === 1) setImmediate(() => this.#flush());
      });
    } finally {
      this.#pendingBytes -= length;
    }
  }

  attach(process: Process): void {
    if (this.#isAttached) {
      throw new RiskGateError(
        "CONFIG_INVALID",
        "an inbox serves one receiver: create another inbox, with another `directory`, for the second one",
      );
    }
    this.#isAttached = true;
    void this.#start(process);
  }

  async ready(): Promise<void> {
    await this.#stored();
  }

  async counts(): Promise<InboxCounts> {
    return this.#ask((store) => store.counts(Date.now()));
  }

  async parked(limit = 100): Promise<readonly ParkedDelivery[]> {
    return this.#ask((store) => store.parked(limit));
  }

  async retryParked(): Promise<number> {
    const count = await this.#ask((store) => store.unpark(Date.now()));
    this.#work?.wake();
    return count;
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    const file = await this.#opened.catch(() => undefined);
    if (!file) return;
    this.#flush();
    if (this.#work)
      await limitTime(this.#work.stop(), this.#settings.closeTimeoutMs, () => {}, true);
    this.#work?.abandon();
    this.#store = undefined;
    file.close();
  }

  async #open(): Promise<InboxFile> {
    const file = await openInboxFile(this.#settings, this.#closing.signal);
    if (!file) throw closedError();
    try {
      this.#store = new StoredDeliveries(file.database, this.#settings.maxParked);
      this.#store.recover(Date.now(), MAX_POSTPONE_MS, (starts) => this.#recovered(starts));
      return file;
    } catch (cause) {
      file.close();
      throw storeError(cause);
    }
  }

  /** The process exited during handling, perhaps because of this element. */
  #recovered(starts: number) {
    const reason = `attempt ${starts} ended with the process`;
    const retry = retryAfter(starts, this.#settings, reason);
    if ("reason" in retry) this.#reportParked(reason);
    return "reason" in retry ? retry : { starts, dueMs: Date.now() };
  }

  async #start(process: Process): Promise<void> {
    try {
      const store = await this.#stored();
      this.#work = new InboxWork(store, {
        ...this.#settings,
        process,
        onError: (cause) => this.#settings.report(storeError(cause)),
        onPark: (reason) => this.#reportParked(reason),
      });
      this.#work.wake();
    } catch (cause) {
      if (!this.#closing.signal.aborted) this.#settings.report(storeError(cause));
    }
  }

  /** Stores all pending deliveries in one transaction. */
  #flush(): void {
    const batch = this.#pending;
    this.#pending = [];
    if (batch.length === 0) return;
    try {
      if (!this.#store) throw closedError();
      const deliveries = batch.map(({ delivery }) => delivery);
      this.#store.add(deliveries, Date.now());
      for (const { stored } of batch) stored();
    } catch (cause) {
      const error = storeError(cause);
      for (const { refused } of batch) refused(error);
    }
    this.#work?.wake();
  }

  async #stored(): Promise<StoredDeliveries> {
    if (this.#closing.signal.aborted) throw closedError();
    await this.#opened;
    if (this.#closing.signal.aborted || !this.#store) throw closedError();
    return this.#store;
  }

  async #ask<T>(question: (store: StoredDeliveries) => T): Promise<T> {
    const store = await this.#stored();
    try {
      return question(store);
    } catch (cause) {
      throw storeError(cause);
    }
  }

  #reportParked(reason: string): void {
    const message = `an element was parked: ${reason}`;
    this.#settings.report(new RiskGateError("HANDLER_FAILED", message));
  }
}

function readInboxOptions(options: SqliteInboxOptions) {
  return readOptions("createSqliteInbox", options, (given) => {
    const directory = given.string("directory");
    if (directory === undefined || directory === "") {
      return given.refuse("directory", "the path of a directory", directory);
    }
    return {
      // The working directory may change before the inbox is opened.
      directory: resolve(directory),
      concurrency: given.integer("concurrency", 10),
      maxAttempts: given.integer("maxAttempts", 5),
      backoffMs: given.durationMs("backoffMs", 1_000),
      lockTimeoutMs: given.durationMs("lockTimeoutMs", 10_000),
      closeTimeoutMs: given.durationMs("closeTimeoutMs", 8_000),
      maxParked: given.integer("maxParked", 10_000),
      report: createErrorReport(given.function<ErrorHook>("onError")),
    };
  });
}

function closedError(): RiskGateError {
  return unavailable("the inbox is closed");
}

function unavailable(message: string): RiskGateError {
  return new RiskGateError("INBOX_UNAVAILABLE", message);
}
