import { EventCounts, type EventCountsSettings, type EventRow } from "./event-counts.js";
import type { History } from "./ledger.js";
import { RecencyIndex } from "./recency-index.js";

/** Maximum number of keys in a book, and how long their events are stored. */
export interface EventHistoriesSettings extends EventCountsSettings {
  readonly maxEntries: number;
}

export class EventHistories {
  readonly #maxEntries: number;
  readonly #index = new RecencyIndex();
  readonly #counts: EventCounts;

  constructor(settings: EventHistoriesSettings) {
    this.#maxEntries = settings.maxEntries;
    this.#counts = new EventCounts(settings);
  }

  get size(): number {
    return this.#index.size;
  }

  add(key: string, atMs: number, highRisk: boolean): void {
    this.addRow(key, { lastAtMs: atMs, events: 1, highRisk: highRisk ? 1 : 0 });
  }

  addRow(key: string, row: EventRow): void {
    const isFull = this.#index.size >= this.#maxEntries;
    if (isFull && this.#index.get(key) === undefined) this.delete(this.#index.oldest!);
    this.#counts.addRow(this.#index.touch(key), row);
  }

  /** Deletes the least recently active keys whose events are all past the retention. */
  sweep(nowMs: number): void {
    for (let key = this.#index.oldest; key !== undefined; key = this.#index.oldest) {
      if (!this.#counts.forget(this.#index.get(key)!, nowMs)) return;
      this.delete(key);
    }
  }

  keys(): string[] {
    return this.#index.keys();
  }

  /** Returns a key's events by period; empty if none are stored. */
  rowsOf(key: string): readonly EventRow[] {
    const slot = this.#index.get(key);
    return slot === undefined ? [] : this.#counts.rowsOf(slot);
  }

  /** Returns a key's history; undefined if nothing is stored. */
  history(key: string, nowMs: number): History | undefined {
    const slot = this.#index.get(key);
    if (slot === undefined) return undefined;
    const history = this.#counts.history(slot, nowMs);
    if (history === undefined) this.delete(key);
    return history;
  }

  delete(key: string): boolean {
    const slot = this.#index.delete(key);
    if (slot === undefined) return false;
    this.#counts.clear(slot);
    return true;
  }
}
