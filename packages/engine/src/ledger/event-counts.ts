import { doubleLength } from "./double-length.js";
import { HIGH_RISK_FACTOR, type History } from "./ledger.js";

/** How long events count, and how fast they lose their weight. */
export interface EventCountsSettings {
  /** Time in which the weight of an event halves, in milliseconds. */
  readonly halfLifeMs: number;
  /** Longest time that an event is remembered, in milliseconds. */
  readonly retentionMs: number;
}

/** The events of one period. */
export interface EventRow {
  /** When the last of them happened. */
  readonly lastAtMs: number;
  readonly events: number;
  /** How many of them are of high risk. */
  readonly highRisk: number;
}

/**
 * Events are remembered by periods, so that a million of them take no more memory than 51, and are
 * forgotten by periods, so that none outlives the retention and none goes over 2 % of it sooner.
 */
const PERIODS = 50;

/**
 * Weight of high-risk events down to which an identifier is a known attacker: that of one event two
 * half-lives ago, or of four events four half-lives ago.
 */
const ATTACKER_WEIGHT = 0.25;

/** No row. */
const NONE = -1;

/**
 * The events of many addresses or accounts, each known by its slot.
 *
 * The events of a slot within one period are one row of numbers: as objects they would take several
 * times as much memory.
 */
export class EventCounts {
  readonly #settings: EventCountsSettings;
  readonly #periodMs: number;
  /** Row of the last period of each slot. */
  #latest = new Int32Array(16).fill(NONE);
  /** When the last event of a row happened, which tells its period as well. */
  #lastAtMs = new Float64Array(16);
  #events = new Uint32Array(16);
  #highRisk = new Uint32Array(16);
  /** Row of the period before; of a row that is free, another one. */
  #earlier = new Int32Array(16);
  #rows = 0;
  #freeRow = NONE;

  constructor(settings: EventCountsSettings) {
    this.#settings = settings;
    this.#periodMs = settings.retentionMs / PERIODS;
  }

  /** Rows ever in use at once; what all counts take in memory. */
  get rows(): number {
    return this.#rows;
  }

  add(slot: number, atMs: number, highRisk: boolean): void {
    this.addRow(slot, { lastAtMs: atMs, events: 1, highRisk: highRisk ? 1 : 0 });
  }

  /** Adds events that count together. */
  addRow(slot: number, { lastAtMs: atMs, events, highRisk }: EventRow): void {
    while (slot >= this.#latest.length) this.#addSlots();
    const period = this.#periodOf(atMs);
    let later = NONE;
    let row = this.#latest[slot]!;
    // Nearly always it is the first one: events are recorded as they happen.
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

  /** Remembered events, period by period, the oldest first. */
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

  /** Deletes events past the retention; returns true if none remain. */
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

  /** Forgets everything, so that the slot may be another's. */
  clear(slot: number): void {
    this.#free(this.#latest[slot]!);
    this.#latest[slot] = NONE;
  }

  /** Remembered events, or undefined without any. */
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

  /** Number of the period of an instant: the periods of all slots begin at the same times. */
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

  /** Frees a row and all before it. */
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
