import { DEFAULT_THRESHOLDS as CORE_DEFAULTS, type ScoreThresholds } from "@riskgate/core/internal";

export type Thresholds = Required<ScoreThresholds>;

export type Threshold = keyof Thresholds;

export const DEFAULT_THRESHOLDS: Thresholds = { challengeAbove: undefined, ...CORE_DEFAULTS };

const ORDER = ["flagAbove", "challengeAbove", "rejectAbove"] as const;

/** Moves one threshold, and pushes the others so that none is crossed. */
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

/** Challenges scores above the middle of the other two thresholds, or no score. */
export function setChallenging(thresholds: Thresholds, isOn: boolean): Thresholds {
  const { flagAbove, rejectAbove } = thresholds;
  return {
    ...thresholds,
    challengeAbove: isOn ? Math.round((flagAbove + rejectAbove) / 2) : undefined,
  };
}

/** Reads thresholds from the URL of a page; a default replaces a missing or invalid one. */
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
