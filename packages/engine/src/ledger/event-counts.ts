import { doubleLength } from "./double-length.js";
import { HIGH_RISK_FACTOR, type History } from "./ledger.js";

export interface EventCountsSettings {
  readonly halfLifeMs: number;
  /** Maximum time that an event is stored, in milliseconds. */
  readonly retentionMs: number;
}

export interface EventRow {
  readonly lastAtMs: number;
  readonly events: number;
  readonly highRisk: number;
}

/**
 * Number of periods within the retention. Events are stored by period, so that a million take no
 * more memory than 51, and deleted by period: never after the retention, and at most 2 % of it too
 * early.
 */
const PERIODS = 50;

/**
 * Minimum weight of high-risk events for a known attacker: one event two half-lives ago, or four
 * events four half-lives ago.
 */
const ATTACKER_WEIGHT = 0.25;

const NONE = -1;

/**
 * Events of many addresses or accounts, each identified by its slot.
 *
 * A slot's events within one period are one row of numbers: as objects they would take several
 * times as much memory.
 */
export class EventCounts {
  readonly #settings: EventCountsSettings;
  readonly #periodMs: number;
  /** Row of the last period of each slot. */
  #latest = new Int32Array(16).fill(NONE);
  /** Time of the last event in a row, which also determines its period. */
  #lastAtMs = new Float64Array(16);
  #events = new Uint32Array(16);
  #highRisk = new Uint32Array(16);
  /** Row of the previous period; for a free row, the next free one. */
  #earlier = new Int32Array(16);
  #rows = 0;
  #freeRow = NONE;

  constructor(settings: EventCountsSettings) {
    this.#settings = settings;
    this.#periodMs = settings.retentionMs / PERIODS;
  }

  /** Maximum number of rows that were in use at once, which determines memory use. */
  get rows(): number {
    return this.#rows;
  }

  add(slot: number, atMs: number, highRisk: boolean): void {
    this.addRow(slot, { lastAtMs: atMs, events: 1, highRisk: highRisk ? 1 : 0 });
  }

  addRow(slot: number, { lastAtMs: atMs, events, highRisk }: EventRow): void {
    while (slot >= this.#latest.length) this.#addSlots();
    const period = this.#periodOf(atMs);
    let later = NONE;
    let row = this.#latest[slot]!;
    // Nearly always the first row matches: events are recorded as they happen.
    while (row !== NONE && this.#periodOf(this.#lastAtMs[row]!) > period) {
      later = row;
      row = this.#earlier[row]!;
    }
    if (row === NONE || this.#periodOf(this.#lastAtMs[row]!) < period) {
      row = this.#createRow(row);
      if (later === NONE) this.#latest[slot] = row;
      else this.#earlier[later] = row;
    }
    this.#lastAtMs[row] = Math.max(this.#lastAtMs[row]!, atMs);
    this.#events[row]! += events;
    this.#highRisk[row]! += highRisk;
  }

  rowsOf(slot: number): EventRow[] {
    const rows: EventRow[] = [];
    for (let row = this.#latest[slot]!; row !== NONE; row = this.#earlier[row]!) {
      const [lastAtMs, events, highRisk] = [
        this.#lastAtMs[row]!,
        this.#events[row]!,
        this.#highRisk[row]!,
      ];
      rows.push({ lastAtMs, events, highRisk });
    }
    return rows.toReversed();
  }

  forget(slot: number, nowMs: number): boolean {
    const limitMs = nowMs - this.#settings.retentionMs;
    let kept = NONE;
    let row = this.#latest[slot]!;
    while (row !== NONE && this.#periodOf(this.#lastAtMs[row]!) * this.#periodMs > limitMs) {
      kept = row;
      row = this.#earlier[row]!;
    }
    if (kept === NONE) this.#latest[slot] = NONE;
    else this.#earlier[kept] = NONE;
    this.#free(row);
    return kept === NONE;
  }

  /** Deletes all events, so that the slot can be reused. */
  clear(slot: number): void {
    this.#free(this.#latest[slot]!);
    this.#latest[slot] = NONE;
  }

  /** Returns the history of stored events; undefined without any. */
  history(slot: number, nowMs: number): History | undefined {
    if (this.forget(slot, nowMs)) return undefined;
    let events = 0;
    let highRisk = 0;
    let weight = 0;
    let highRiskWeight = 0;
    const latest = this.#latest[slot]!;
    for (let row = latest; row !== NONE; row = this.#earlier[row]!) {
      const ageMs = Math.max(0, nowMs - this.#lastAtMs[row]!);
      const left = 2 ** (-ageMs / this.#settings.halfLifeMs);
      events += this.#events[row]!;
      highRisk += this.#highRisk[row]!;
      highRiskWeight += this.#highRisk[row]! * left;
      weight += (this.#events[row]! + (HIGH_RISK_FACTOR - 1) * this.#highRisk[row]!) * left;
    }
    return {
      is_known_attacker: highRiskWeight >= ATTACKER_WEIGHT,
      security_events_count: events,
      high_risk_security_events_count: highRisk,
      weight,
      lastEventAtMs: this.#lastAtMs[latest]!,
    };
  }

  /** Returns the number of an instant's period, the same for all slots. */
  #periodOf(atMs: number): number {
    return Math.floor(atMs / this.#periodMs);
  }

  #createRow(earlier: number): number {
    let row = this.#freeRow;
    if (row === NONE) {
      row = this.#rows++;
      if (row === this.#events.length) this.#addRows();
    } else {
      this.#freeRow = this.#earlier[row]!;
    }
    this.#earlier[row] = earlier;
    this.#lastAtMs[row] = 0;
    this.#events[row] = 0;
    this.#highRisk[row] = 0;
    return row;
  }

  #free(first: number): void {
    let row = first;
    while (row !== NONE) {
      const next = this.#earlier[row]!;
      this.#earlier[row] = this.#freeRow;
      this.#freeRow = row;
      row = next;
    }
  }

  #addSlots(): void {
    const before = this.#latest.length;
    this.#latest = doubleLength(this.#latest).fill(NONE, before);
  }

  #addRows(): void {
    this.#lastAtMs = doubleLength(this.#lastAtMs);
    this.#events = doubleLength(this.#events);
    this.#highRisk = doubleLength(this.#highRisk);
    this.#earlier = doubleLength(this.#earlier);
  }
}
