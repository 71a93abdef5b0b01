import { type Outcome, OUTCOMES } from "../model/decision.js";

export type ByOutcome = Readonly<Record<Outcome, number>>;

export class OutcomeCounts {
  readonly #cells = new Float64Array(OUTCOMES.length ** 2);

  add(recorded: Outcome, rehearsed: Outcome, decisions: number = 1): void {
    this.#cells[placeOf(recorded, rehearsed)]! += decisions;
  }

  count(recorded: Outcome, rehearsed: Outcome): number {
    return this.#cells[placeOf(recorded, rehearsed)]!;
  }

  get decisions(): number {
    return this.#cells.reduce((sum, count) => sum + count, 0);
  }

  get changed(): number {
    return OUTCOMES.reduce((rest, outcome) => rest - this.count(outcome, outcome), this.decisions);
  }

  get recorded(): ByOutcome {
    return byOutcome((one) => OUTCOMES.map((other) => this.count(one, other)));
  }

  get rehearsed(): ByOutcome {
    return byOutcome((one) => OUTCOMES.map((other) => this.count(other, one)));
  }
}

function placeOf(recorded: Outcome, rehearsed: Outcome): number {
  return OUTCOMES.indexOf(recorded) * OUTCOMES.length + OUTCOMES.indexOf(rehearsed);
}

function byOutcome(countsOf: (outcome: Outcome) => readonly number[]): ByOutcome {
  const sums = OUTCOMES.map((one) => [one, countsOf(one).reduce((sum, count) => sum + count, 0)]);
  return Object.fromEntries(sums) as ByOutcome;
}
