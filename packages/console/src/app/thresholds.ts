/** Thresholds of a gate; without `challengeAbove` no score is challenged. */
export interface Thresholds {
  readonly flagAbove: number;
  readonly challengeAbove: number | undefined;
  readonly rejectAbove: number;
}

export type Threshold = keyof Thresholds;

/** Those that gates have by default. */
export const DEFAULT_THRESHOLDS: Thresholds = {
  flagAbove: 40,
  challengeAbove: undefined,
  rejectAbove: 80,
};

/** From the softest to the hardest. */
const ORDER = ["flagAbove", "challengeAbove", "rejectAbove"] as const;

/** What a score comes to, from the softest to the hardest. */
export const OUTCOMES = ["allow", "flag", "challenge", "reject"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Moves one threshold, and the others with it where it would cross them. */
export function moveThreshold(thresholds: Thresholds, moved: Threshold, value: number): Thresholds {
  const at = ORDER.indexOf(moved);
  const entries = ORDER.map((name, place) => {
    const before = thresholds[name];
    if (place === at) return [name, value] as const;
    if (before === undefined) return [name, undefined] as const;
    return [name, place < at ? Math.min(before, value) : Math.max(before, value)] as const;
  });
  return { ...thresholds, ...Object.fromEntries(entries) };
}

/** Challenges from the middle between the other two on, or nothing by its score. */
export function setChallenging(thresholds: Thresholds, isOn: boolean): Thresholds {
  const { flagAbove, rejectAbove } = thresholds;
  return {
    ...thresholds,
    challengeAbove: isOn ? Math.round((flagAbove + rejectAbove) / 2) : undefined,
  };
}

/** What a gate with these thresholds makes of a whole score. */
export function outcomeOf(
  { flagAbove, challengeAbove, rejectAbove }: Thresholds,
  score: number,
): Outcome {
  if (score > rejectAbove) return "reject";
  if (challengeAbove !== undefined && score > challengeAbove) return "challenge";
  return score > flagAbove ? "flag" : "allow";
}

/** Reads thresholds from the address of a page; what is missing or wrong there is as by default. */
export function readThresholds(given: Readonly<Record<Threshold, string>>): Thresholds {
  const read = (name: Threshold): number | undefined =>
    /^(?:\d{1,2}|100)$/.test(given[name]) ? Number(given[name]) : DEFAULT_THRESHOLDS[name];
  const thresholds: Thresholds = {
    flagAbove: read("flagAbove") ?? DEFAULT_THRESHOLDS.flagAbove,
    challengeAbove: read("challengeAbove"),
    rejectAbove: read("rejectAbove") ?? DEFAULT_THRESHOLDS.rejectAbove,
  };
  const { flagAbove, challengeAbove = flagAbove, rejectAbove } = thresholds;
  const isOrdered = flagAbove <= challengeAbove && challengeAbove <= rejectAbove;
  return isOrdered ? thresholds : DEFAULT_THRESHOLDS;
}
