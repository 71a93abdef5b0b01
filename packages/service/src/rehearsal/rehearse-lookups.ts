import { FLAG_ABOVE, type Outcome, REJECT_ABOVE } from "@riskgate/core";
import type { DecisionRecord } from "@riskgate/core/log";
import { type ByOutcome, OutcomeCounts, outcomeOf, type Rejudge } from "@riskgate/core/internal";
import type { ScoredLookup, ScoreView } from "./recent-scores.js";

/** Outcomes of recent lookups with the given and the default thresholds. */
interface RehearsedLookups {
  readonly lookups: number;
  readonly byDefault: ByOutcome;
  readonly tried: ByOutcome;
  readonly changed: number;
  /** The newest lookups whose outcome would change, newest first. */
  readonly examples: readonly (ScoredLookup & { readonly from: Outcome; readonly to: Outcome })[];
}

/** Decides scores like a gate without any other evidence. */
export function rehearseLookups(
  { counts, latest }: Pick<ScoreView, "counts" | "latest">,
  rejudge: Rejudge,
  limit: number,
): RehearsedLookups {
  const sums = new OutcomeCounts();
  const outcomesOf = (score: number): readonly [from: Outcome, to: Outcome] => [
    outcomeOf(score),
    rejudge(recordOf(score)).outcome,
  ];
  counts.ip.forEach((ips, score) => {
    const all = ips + counts.email[score]!;
    if (all > 0) sums.add(...outcomesOf(score), all);
  });
  const examples = latest
    .map((lookup) => {
      const [from, to] = outcomesOf(lookup.score);
      return { ...lookup, from, to };
    })
    .filter(({ from, to }) => from !== to)
    .slice(0, limit);
  const { decisions: lookups, recorded: byDefault, rehearsed: tried, changed } = sums;
  return { lookups, byDefault, tried, changed, examples };
}

function recordOf(score: number): DecisionRecord {
  return {
    v: 1,
    at: "",
    route: null,
    outcome: outcomeOf(score),
    enforced: true,
    because: "score",
    score,
    ip: { state: "scored", score, source: "live", flags: [] },
    email: { state: "skipped", why: "absent" },
    policy: { flagAbove: FLAG_ABOVE, rejectAbove: REJECT_ABOVE },
  };
}
