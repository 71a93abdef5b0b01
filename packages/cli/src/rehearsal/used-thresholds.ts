import type { DecisionRecord } from "@riskgate/core/log";
import { type GivenThresholds, rehearsedThresholds } from "@riskgate/core/internal";

type Thresholds = DecisionRecord["policy"];

/** Thresholds of recorded decisions, and those that replaced them. */
export interface UsedThresholds {
  readonly recorded: Pick<Thresholds, "flagAbove" | "challengeAbove" | "rejectAbove">;
  readonly rehearsed: ReturnType<typeof rehearsedThresholds>;
  decisions: number;
}

/** A log has few different policies; a forged one must not exhaust memory. */
const MAX_POLICIES = 20;

/** Collects the thresholds of each policy in a log. */
export class UsedThresholdsList {
  readonly #given: GivenThresholds;
  readonly #byPolicy = new Map<string, UsedThresholds>();

  constructor(given: GivenThresholds) {
    this.#given = given;
  }

  add(record: DecisionRecord): void {
    const { flagAbove, challengeAbove, rejectAbove } = record.policy;
    const key = `${flagAbove} ${challengeAbove} ${rejectAbove}`;
    const known = this.#byPolicy.get(key);
    if (known) {
      known.decisions++;
    } else if (this.#byPolicy.size < MAX_POLICIES) {
      this.#byPolicy.set(key, {
        recorded: {
          flagAbove,
          ...(challengeAbove !== undefined && { challengeAbove }),
          rejectAbove,
        },
        rehearsed: rehearsedThresholds(record, this.#given),
        decisions: 1,
      });
    }
  }

  /** Returns the policies, the most frequent first. */
  list(): readonly UsedThresholds[] {
    return [...this.#byPolicy.values()].sort((a, b) => b.decisions - a.decisions);
  }
}

/** Describes thresholds as options, and those that moved although they were not given. */
export function thresholdLines(
  used: readonly UsedThresholds[],
  given: GivenThresholds,
): readonly string[] {
  return used.flatMap(({ recorded, rehearsed }) => {
    const { flagAbove, challengeAbove, rejectAbove } = rehearsed;
    const isChallenged = challengeAbove < rejectAbove;
    const shown = { flagAbove, ...(isChallenged && { challengeAbove }), rejectAbove };
    const text = Object.entries(shown).map(([name, value]) => `${name} ${value}`);
    const moved = (["flagAbove", "challengeAbove", "rejectAbove"] as const).flatMap((name) => {
      const was = recorded[name];
      const isMoved = was !== undefined && given[name] === undefined && was !== rehearsed[name];
      return isMoved ? [`${name} ${was} to ${rehearsed[name]}`] : [];
    });
    return [
      `thresholds: ${text.join(", ")}`,
      ...(moved.length > 0
        ? [`moved: ${moved.join(", ")}, because a gate needs them in order`]
        : []),
    ];
  });
}
