import { setImmediate as nextTurn } from "node:timers/promises";
import type { Outcome } from "@riskgate/core";
import type { DecisionRecord } from "@riskgate/core/log";
import {
  type ByOutcome,
  isDecisionRecord,
  LabelledDecisions,
  type LabelledResult,
  OutcomeCounts,
  type Rejudge,
  signalsOf,
} from "@riskgate/core/internal";
import type { Label } from "../model/label.js";
import type { Decisions, Labels } from "../storage/event-store.js";
import type { Instant } from "../model/instant.js";

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

interface RehearsedDecisions {
  readonly decisions: number;
  /** True if there are older decisions, which are not included. */
  readonly isPartial: boolean;
  /** Time of the oldest included decision; null if there are none. */
  readonly oldestDecidedAt: Instant | null;
  /** Number of decisions made by an application's policy, decided again by the thresholds. */
  readonly ownPolicy: number;
  readonly recorded: ByOutcome;
  readonly tried: ByOutcome;
  readonly changed: number;
  /** Results about the decisions with a label. */
  readonly labelled: LabelledResult;
  /** The newest decisions that would change, newest first. */
  readonly examples: readonly ChangedDecision[];
}

export interface RehearseDecisionsOptions {
  readonly applicationId: string | undefined;
  readonly rejudge: Rejudge;
  readonly limit: number;
}

/** Maximum number of decisions in one rehearsal, which takes less than a second. */
const MAX_DECISIONS = 10_000;

const PAGE = 1_000;

/** Maximum number of accounts whose label is used, the latest ones. */
const MAX_LABELS = 100_000;

export interface RehearsedStores {
  readonly decisions: Pick<Decisions, "list">;
  readonly labels: Pick<Labels, "list">;
}

export async function rehearseDecisions(
  { decisions, labels }: RehearsedStores,
  { applicationId, rejudge, limit }: RehearseDecisionsOptions,
): Promise<RehearsedDecisions> {
  const sums = new OutcomeCounts();
  const labelled = new LabelledDecisions();
  const ofAccounts = await labelsByDigest(labels, applicationId);
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
    for (const { id, applicationId: of, decidedAt, label: own, record: stored } of page) {
      const record: unknown = stored;
      // A newer version wrote this record, and this version cannot read it.
      if (!isDecisionRecord(record)) continue;
      const to = rejudge(record).outcome;
      sums.add(record.outcome, to);
      const label = own ?? ofAccounts.get(`${of} ${record.email.digest}`);
      if (label) labelled.add(record, to, label);
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
    // Lets the process respond to lookups in between.
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
    labelled: labelled.result(),
    examples,
  };
}

async function labelsByDigest(
  labels: Pick<Labels, "list">,
  applicationId: string | undefined,
): Promise<ReadonlyMap<string, Label>> {
  const found = await labels.list({
    about: "account",
    limit: MAX_LABELS,
    ...(applicationId !== undefined && { applicationId }),
  });
  return new Map(
    found.flatMap(({ applicationId: of, digest, label }) =>
      digest === null ? [] : [[`${of} ${digest}`, label]],
    ),
  );
}

function shownOf(
  record: DecisionRecord,
): Pick<ChangedDecision, "route" | "score" | "signals" | "from"> {
  const { route, score, outcome: from } = record;
  return { route, score, signals: signalsOf(record), from };
}
