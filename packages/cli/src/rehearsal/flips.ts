import type { Outcome } from "@riskgate/core";
import type { DecisionRecord } from "@riskgate/core/log";
import { BoundedGroups, signalsOf } from "@riskgate/core/internal";

export interface Flip {
  readonly from: Outcome;
  readonly to: Outcome;
  readonly decisions: number;
  /** Number of decisions with each signal, the most frequent first. */
  readonly signals: readonly { readonly signal: string; readonly decisions: number }[];
}

/** One decision that would change. */
export interface FlipExample {
  readonly log: string;
  readonly line: number;
  readonly at: string;
  readonly route: string | null;
  readonly from: Outcome;
  readonly to: Outcome;
  readonly score: number | null;
  readonly signals: readonly string[];
  readonly ipDigest: string | null;
  readonly emailDigest: string | null;
}

export interface Place {
  readonly log: string;
  readonly line: number;
}

const MAX_SIGNALS = 1_000;
const SHOWN_SIGNALS = 20;
const SHOWN_EXAMPLES = 10;

interface Group {
  readonly from: Outcome;
  readonly to: Outcome;
  decisions: number;
  readonly signals: BoundedGroups<{ decisions: number }>;
}

export class Flips {
  readonly #groups = new Map<string, Group>();
  readonly examples: FlipExample[] = [];

  add(record: DecisionRecord, to: Outcome, { log, line }: Place): void {
    const { outcome: from, at, route, score, ip, email } = record;
    const signals = signalsOf(record);
    const group = this.#groupOf(from, to);
    group.decisions++;
    for (const signal of signals) group.signals.get(signal).decisions++;
    if (this.examples.length >= SHOWN_EXAMPLES) return;
    const ipDigest = ip.digest ?? null;
    const emailDigest = email.digest ?? null;
    this.examples.push({ log, line, at, route, from, to, score, signals, ipDigest, emailDigest });
  }

  list(): Flip[] {
    return [...this.#groups.values()]
      .map(({ from, to, decisions, signals }) => ({
        from,
        to,
        decisions,
        signals: signals
          .entries()
          .map(([signal, count]) => ({ signal, ...count }))
          .sort((a, b) => b.decisions - a.decisions)
          .slice(0, SHOWN_SIGNALS),
      }))
      .sort((a, b) => b.decisions - a.decisions);
  }

  #groupOf(from: Outcome, to: Outcome): Group {
    const key = `${from} ${to}`;
    let group = this.#groups.get(key);
    if (!group) {
      const signals = new BoundedGroups(MAX_SIGNALS, () => ({ decisions: 0 }));
      this.#groups.set(key, (group = { from, to, decisions: 0, signals }));
    }
    return group;
  }
}
