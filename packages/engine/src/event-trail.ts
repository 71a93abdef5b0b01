import { HIGH_RISK_FACTOR, type History } from "./ledger.js";

/** How long events count, and how fast they lose their weight. */
export interface TrailSettings {
  /** Time in which the weight of an event halves, in milliseconds. */
  readonly halfLifeMs: number;
  /** Longest time that an event is remembered, in milliseconds. */
  readonly retentionMs: number;
}

/** Events that happened within one period. */
interface Period {
  /** When the period begins: periods of all trails begin at the same times. */
  readonly startMs: number;
  lastAtMs: number;
  events: number;
  highRisk: number;
}

/**
 * Events are remembered by periods, so that a million of them take no more room than 51, and are
 * forgotten by periods, so that none outlives the retention and none goes over 2 % of it sooner.
 */
const PERIODS = 50;

/**
 * Weight of high-risk events down to which somebody is a known attacker: that of one event two
 * half-lives ago, or of four events four half-lives ago.
 */
const ATTACKER_WEIGHT = 0.25;

/** The events of one address or account. */
export class EventTrail {
  readonly #settings: TrailSettings;
  /** Oldest first, none empty. */
  #periods: Period[] = [];

  constructor(settings: TrailSettings) {
    this.#settings = settings;
  }

  /** Periods that are remembered; what a trail weighs in memory. */
  get periods(): number {
    return this.#periods.length;
  }

  add(atMs: number, highRisk: boolean): void {
    const lengthMs = this.#settings.retentionMs / PERIODS;
    const startMs = Math.floor(atMs / lengthMs) * lengthMs;
    // Nearly always the last one: events are recorded as they happen.
    const after = this.#periods.findLastIndex((period) => period.startMs <= startMs);
    let period = this.#periods[after];
    if (period?.startMs !== startMs) {
      period = { startMs, lastAtMs: atMs, events: 0, highRisk: 0 };
      this.#periods.splice(after + 1, 0, period);
    }
    period.lastAtMs = Math.max(period.lastAtMs, atMs);
    period.events++;
    if (highRisk) period.highRisk++;
  }

  /** Forget what has passed the retention; true when nothing is left. */
  forget(nowMs: number): boolean {
    const limitMs = nowMs - this.#settings.retentionMs;
    const kept = this.#periods.findIndex(({ startMs }) => startMs > limitMs);
    if (kept !== 0) this.#periods = kept < 0 ? [] : this.#periods.slice(kept);
    return this.#periods.length === 0;
  }

  /** What is remembered, or undefined when nothing is. */
  history(nowMs: number): History | undefined {
    if (this.forget(nowMs)) return undefined;
    let events = 0;
    let highRisk = 0;
    let weight = 0;
    let highRiskWeight = 0;
    for (const period of this.#periods) {
      const ageMs = Math.max(0, nowMs - period.lastAtMs);
      const left = 2 ** (-ageMs / this.#settings.halfLifeMs);
      events += period.events;
      highRisk += period.highRisk;
      highRiskWeight += period.highRisk * left;
      weight += (period.events + (HIGH_RISK_FACTOR - 1) * period.highRisk) * left;
    }
    return {
      is_known_attacker: highRiskWeight >= ATTACKER_WEIGHT,
      security_events_count: events,
      high_risk_security_events_count: highRisk,
      weight,
      lastEventAtMs: this.#periods.at(-1)!.lastAtMs,
    };
  }
}
