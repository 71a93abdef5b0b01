import type { Outcome } from "@riskgate/core";
import type { DecisionRecord } from "@riskgate/core/log";
import {
  BoundedGroups,
  type ByOutcome,
  LabelledDecisions,
  type LabelledResult,
  OutcomeCounts,
  type GivenThresholds,
  parseDecisionRecord,
} from "@riskgate/core/internal";
import { type Flip, type FlipExample, Flips } from "./flips.js";
import type { Labels } from "./label.js";
import { type UsedThresholds, UsedThresholdsList } from "./used-thresholds.js";

export interface GroupResult {
  readonly decisions: number;
  readonly recorded: ByOutcome;
  readonly rehearsed: ByOutcome;
  /** Decisions with another outcome. */
  readonly changed: number;
}

export interface RehearsalResult extends GroupResult {
  readonly lines: number;
  readonly broken: number;
  readonly firstBroken: readonly { readonly log: string; readonly line: number }[];
  /** Logs with damaged compressed data, which were read up to the damage. */
  readonly damaged: readonly string[];
  /** Records before `since`. */
  readonly before: number;
  readonly observed: number;
  /** Decisions of the application's own policy, rehearsed with the thresholds. */
  readonly ownPolicy: number;
  /** The thresholds of each policy in the log, the most frequent first. */
  readonly policies: readonly UsedThresholds[];
  /** First and last moment; null without a decision. */
  readonly from: string | null;
  readonly to: string | null;
  readonly routes: readonly (GroupResult & { readonly route: string })[];
  readonly days: readonly (GroupResult & { readonly day: string })[];
  readonly flips: readonly Flip[];
  readonly examples: readonly FlipExample[];
  readonly labels: (LabelledResult & { readonly labels: number }) | null;
}

export interface RehearsalSettings {
  readonly judge: (record: DecisionRecord) => Outcome;
  readonly thresholds: GivenThresholds;
  /** Ignores decisions before this moment, in ISO 8601 and UTC. */
  readonly since: string | undefined;
  readonly labels: Labels | undefined;
}

const MAX_ROUTES = 1_000;
const MAX_DAYS = 3_660;
const SHOWN_BROKEN = 10;
const NO_ROUTE = "(no route)";

/** Reads a log line by line and stores only sums, so a log may have any length. */
export class Rehearsal {
  readonly #settings: RehearsalSettings;
  readonly #all = new OutcomeCounts();
  readonly #routes = new BoundedGroups(MAX_ROUTES, () => new OutcomeCounts());
  readonly #days = new BoundedGroups(MAX_DAYS, () => new OutcomeCounts());
  readonly #flips = new Flips();
  readonly #policies: UsedThresholdsList;
  readonly #labelled = new LabelledDecisions();
  readonly #firstBroken: { log: string; line: number }[] = [];
  readonly #counts = { lines: 0, broken: 0, before: 0, observed: 0, ownPolicy: 0 };
  readonly #damaged: string[] = [];
  #from: string | null = null;
  #to: string | null = null;

  constructor(settings: RehearsalSettings) {
    this.#settings = settings;
    this.#policies = new UsedThresholdsList(settings.thresholds);
  }

  get lines(): number {
    return this.#counts.lines;
  }

  /**
   * Adds the next line.
   *
   * @param text Undefined for a line that is too long.
   * @param line Its number in the log.
   */
  add(text: string | undefined, log: string, line: number): void {
    this.#counts.lines++;
    if (text?.trim() === "") return;
    const record = text === undefined ? undefined : parseDecisionRecord(text);
    if (record) this.#addRecord(record, log, line);
    else {
      this.#counts.broken++;
      if (this.#firstBroken.length < SHOWN_BROKEN) this.#firstBroken.push({ log, line });
    }
  }

  /** Records that the rest of a log cannot be read. */
  markDamaged(log: string): void {
    this.#damaged.push(log);
  }

  result(): RehearsalResult {
    const { labels } = this.#settings;
    return {
      ...this.#counts,
      firstBroken: this.#firstBroken,
      damaged: this.#damaged,
      policies: this.#policies.list(),
      from: this.#from,
      to: this.#to,
      ...resultOf(this.#all),
      routes: this.#routes
        .entries()
        .map(([route, counts]) => ({ route, ...resultOf(counts) }))
        .sort((a, b) => b.decisions - a.decisions),
      days: this.#days
        .entries()
        .map(([day, counts]) => ({ day, ...resultOf(counts) }))
        .sort((a, b) => (a.day < b.day ? -1 : 1)),
      flips: this.#flips.list(),
      examples: this.#flips.examples,
      labels: labels ? { labels: labels.size, ...this.#labelled.result() } : null,
    };
  }

  #addRecord(record: DecisionRecord, log: string, line: number): void {
    const { at, route, outcome, enforced, policy } = record;
    const { judge, since, labels } = this.#settings;
    if (since !== undefined && at < since) {
      this.#counts.before++;
      return;
    }
    const rehearsed = judge(record);
    this.#policies.add(record);
    this.#all.add(outcome, rehearsed);
    this.#routes.get(route ?? NO_ROUTE).add(outcome, rehearsed);
    this.#days.get(at.slice(0, 10)).add(outcome, rehearsed);
    const label = labels?.of(record);
    if (label) this.#labelled.add(record, rehearsed, label);
    if (outcome !== rehearsed) this.#flips.add(record, rehearsed, { log, line });
    if (!enforced) this.#counts.observed++;
    if (policy.own) this.#counts.ownPolicy++;
    if (this.#from === null || at < this.#from) this.#from = at;
    if (this.#to === null || at > this.#to) this.#to = at;
  }
}

function resultOf(counts: OutcomeCounts): GroupResult {
  const { decisions, recorded, rehearsed, changed } = counts;
  return { decisions, recorded, rehearsed, changed };
}
