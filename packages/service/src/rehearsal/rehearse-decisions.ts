import { setImmediate as nextTurn } from "node:timers/promises";
import type { Outcome } from "@riskgate/core";
import type { DecisionRecord } from "@riskgate/core/log";
import {
  type ByOutcome,
  isDecisionRecord,
  OutcomeCounts,
  type Rejudge,
  signalsOf,
} from "@riskgate/core/internal";
import type { Decisions } from "../storage/event-store.js";
import type { Instant } from "../model/instant.js";

/** A logged decision that would change. */
interface ChangedDecision {
  readonly id: string;
  readonly applicationId: string;
  readonly decidedAt: Instant;
  readonly route: string | null;
  readonly score: number | null;
  readonly signals: readonly string[];
  readonly from: Outcome;
  readonly to: Outcome;
}

/** What other thresholds make of decisions that applications logged. */
interface RehearsedDecisions {
  readonly decisions: number;
  /** Whether there are older ones, which do not count. */
  readonly isPartial: boolean;
  /** When the oldest of them was decided; null where there is none. */
  readonly oldestDecidedAt: Instant | null;
  /** Decisions of a policy of the application, rehearsed by the thresholds. */
  readonly ownPolicy: number;
  readonly recorded: ByOutcome;
  readonly tried: ByOutcome;
  readonly changed: number;
  /** The newest that change, newest first. */
  readonly examples: readonly ChangedDecision[];
}

/** Which decisions are judged again, and by what. */
export interface RehearseDecisionsOptions {
  readonly applicationId: string | undefined;
  readonly rejudge: Rejudge;
  /** Most examples. */
  readonly limit: number;
}

/** Most decisions of one rehearsal: a part of a second. */
const MAX_DECISIONS = 10_000;

/** Decisions read at a time. */
const PAGE = 1_000;

/** Judges the newest decisions again. */
export async function rehearseDecisions(
  decisions: Pick<Decisions, "list">,
  { applicationId, rejudge, limit }: RehearseDecisionsOptions,
): Promise<RehearsedDecisions> {
  const sums = new OutcomeCounts();
  const examples: ChangedDecision[] = [];
  let ownPolicy = 0;
  let oldestDecidedAt: Instant | null = null;
  let isPartial = false;
  for (let beforeSeq = Number.MAX_SAFE_INTEGER, read = 0; ;) {
    const page = await decisions.list({
      beforeSeq,
      limit: PAGE,
      ...(applicationId !== undefined && { applicationId }),
    });
    for (const { id, applicationId: of, decidedAt, record: stored } of page) {
      const record: unknown = stored;
      // One of a later version, which this one cannot judge.
      if (!isDecisionRecord(record)) continue;
      const to = rejudge(record).outcome;
      sums.add(record.outcome, to);
      if (record.policy.own) ownPolicy++;
      oldestDecidedAt = Math.min(oldestDecidedAt ?? decidedAt, decidedAt);
      if (record.outcome !== to && examples.length < limit) {
        examples.push({ id, applicationId: of, decidedAt, ...shownOf(record), to });
      }
    }
    read += page.length;
    const last = page.at(-1);
    if (page.length < PAGE || !last) break;
    if (read >= MAX_DECISIONS) {
      isPartial = true;
      break;
    }
    beforeSeq = last.seq;
    // Lookups are answered in between.
    await nextTurn();
  }
  const { decisions: count, recorded, rehearsed: tried, changed } = sums;
  return {
    decisions: count,
    isPartial,
    oldestDecidedAt,
    ownPolicy,
    recorded,
    tried,
    changed,
    examples,
  };
}

function shownOf(
  record: DecisionRecord,
): Pick<ChangedDecision, "route" | "score" | "signals" | "from"> {
  const { route, score, outcome: from } = record;
  return { route, score, signals: signalsOf(record), from };
}
