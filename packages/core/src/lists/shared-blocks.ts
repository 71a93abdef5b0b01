import { isRiskGateError, RiskGateError } from "../base/errors.js";
import type { ErrorHook } from "../base/error-report.js";
import { startDeadline } from "../base/time-limit.js";
import { BlockEntries } from "./block-entries.js";
import type { BlockChanges, BlockStore } from "./block-store.js";

export interface SharedBlocksSettings {
  readonly max: number;
  readonly now: () => number;
  readonly report: ErrorHook;
}

/** Longest pause after failed reads. */
const MAX_PAUSE_MS = 2_000;

/** Then the whole list is read again, in case a change was missed. */
const COMPLETE_EVERY_MS = 300_000;

/** A change of this process. */
interface Pending {
  readonly untilMs: number;
  readonly decidedMs: number | undefined;
}

/** The blocks of a store, copied to this process and kept up to date. */
export class SharedBlocks {
  readonly #store: BlockStore;
  readonly #settings: SharedBlocksSettings;
  readonly #stopping = new AbortController();
  /** Blocks of this process that are not stored yet. */
  readonly #pending = new Map<string, Pending>();
  #saving: Promise<void> = Promise.resolve();
  readonly #first: Promise<void>;
  #entries: BlockEntries;
  #hasMailboxes = false;
  #wake: () => void = () => {};

  constructor(store: BlockStore, settings: SharedBlocksSettings) {
    this.#store = store;
    this.#settings = settings;
    this.#entries = new BlockEntries(settings.max, settings.now);
    this.#first = new Promise((resolve) => void this.#follow(resolve));
  }

  get size(): number {
    return this.#entries.size;
  }

  hasIp(ip: string): boolean {
    return this.#entries.size > 0 && this.#entries.hasIp(ip);
  }

  hasMailbox(mailbox: string): boolean {
    return this.#hasMailboxes && this.#entries.has(this.#nameOf(mailbox));
  }

  /** Resolves when the blocks in force have been read once. */
  ready(): Promise<void> {
    return this.#first;
  }

  /**
   * Stores blocks of this process, and applies them at once.
   *
   * @param mailboxes Mailboxes in normal form.
   * @returns False if the store is changed by others only.
   */
  put(
    networks: readonly string[],
    mailboxes: readonly string[],
    forMs: number,
    decidedMs: number | undefined,
  ): boolean {
    if (!this.#store.save) return false;
    const targets = [...networks, ...mailboxes.map((one) => this.#nameOf(one))];
    const change: Pending = { untilMs: this.#settings.now() + forMs, decidedMs };
    for (const target of targets) {
      this.#pending.set(target, change);
      this.#apply(this.#entries, target, change.untilMs);
    }
    this.saved().catch(this.#settings.report);
    return true;
  }

  /**
   * Stores what is pending, after earlier changes: the last one of an entry must win.
   *
   * @throws {RiskGateError} STORE_FAILED
   */
  saved(): Promise<void> {
    const saved = this.#saving.then(() => this.#save());
    this.#saving = saved.catch(() => {});
    return saved.catch((error: unknown) => {
      throw failure(error);
    });
  }

  close(): void {
    this.#stopping.abort();
    this.#wake();
  }

  async #save(): Promise<void> {
    if (this.#pending.size === 0) return;
    const saving = [...this.#pending];
    const now = this.#settings.now();
    const changes = saving.map(([target, { untilMs, decidedMs }]) => {
      return { target, forMs: Math.max(0, Math.ceil(untilMs - now)), decidedMs };
    });
    await this.#store.save?.(changes);
    for (const [target, change] of saving) {
      if (this.#pending.get(target) === change) this.#pending.delete(target);
    }
  }

  async #follow(onFirst: () => void): Promise<void> {
    const { report, now } = this.#settings;
    const { signal } = this.#stopping;
    let cursor: string | undefined;
    let completeMs = 0;
    let failures = 0;
    while (!signal.aborted) {
      const isDue = now() - completeMs >= COMPLETE_EVERY_MS;
      try {
        const changes = await this.#store.changes(isDue ? undefined : cursor, signal);
        this.#take(changes);
        if (changes.isComplete) completeMs = now();
        cursor = changes.cursor;
        failures = 0;
        onFirst();
        if (this.#pending.size > 0) await this.saved();
      } catch (error) {
        // The last known list stays.
        if (!signal.aborted) report(failure(error));
        failures++;
      }
      const { everyMs } = this.#store;
      await this.#pause(failures === 0 ? everyMs : Math.min(MAX_PAUSE_MS, 250 * 2 ** failures));
    }
  }

  async #pause(ms: number): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const stop = startDeadline(ms, resolve);
      this.#wake = () => {
        stop();
        resolve();
      };
    });
  }

  #take({ isComplete, blocks }: BlockChanges): void {
    const { max, now } = this.#settings;
    const entries = isComplete ? new BlockEntries(max, now) : this.#entries;
    if (isComplete) this.#hasMailboxes = false;
    for (const { target, forMs } of blocks) this.#apply(entries, target, now() + forMs);
    // The store does not know these yet.
    for (const [target, { untilMs }] of this.#pending) this.#apply(entries, target, untilMs);
    this.#entries = entries;
  }

  #apply(entries: BlockEntries, target: string, untilMs: number): void {
    const isMailbox = /^[@#]/.test(target);
    const key = isMailbox ? target : entries.networkKey(target);
    if (key === undefined) return;
    if (untilMs <= this.#settings.now()) return entries.unblock(key);
    this.#hasMailboxes ||= isMailbox;
    entries.block(key, untilMs);
  }

  #nameOf(mailbox: string): string {
    const { digestOf } = this.#store;
    return digestOf ? `#${digestOf(mailbox)}` : `@${mailbox}`;
  }
}

function failure(cause: unknown): RiskGateError {
  if (isRiskGateError(cause)) return cause;
  return new RiskGateError("STORE_FAILED", "the block store failed", { cause });
}
