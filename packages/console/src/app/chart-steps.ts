/** On a phone, more bars than this merge into one area. */
const MAX_BARS = 96;

const MINUTE_MS = 60_000;

/** A chart of less time would have few bars, and look like one with a few very busy moments. */
const SHORTEST_MS = 60 * MINUTE_MS;

/** Lengths of a bar that a reader of a clock expects. */
const LENGTHS = [5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440, 2_880, 10_080].map(
  (minutes) => minutes * MINUTE_MS,
);

export interface Counted<Name extends string> {
  readonly startMs: number;
  readonly counts: Readonly<Record<Name, number>>;
}

/** The time that charts below each other cover. */
export interface Axis {
  readonly fromMs: number;
  readonly endMs: number;
}

/** Returns the chosen period, without the time before the oldest data of any chart. */
export function axisOf({
  sinceMs = -Infinity,
  endMs,
  oldestMs,
}: {
  readonly sinceMs: number | undefined;
  readonly endMs: number;
  /** The oldest data of each chart. */
  readonly oldestMs: readonly number[];
}): Axis {
  const fromMs = Math.max(sinceMs, Math.min(endMs, ...oldestMs));
  return { fromMs: Math.min(fromMs, endMs - SHORTEST_MS), endMs };
}

/** Combines counts into the bars of an axis, without gaps, as long as a reader needs them to be. */
export function chartSteps<Name extends string>(
  counted: readonly Counted<Name>[],
  { names, axis: { fromMs, endMs } }: { readonly names: readonly Name[]; readonly axis: Axis },
): { readonly stepMs: number; readonly steps: readonly Counted<Name>[] } {
  const stepMs = LENGTHS.find((length) => (endMs - fromMs) / length <= MAX_BARS) ?? LENGTHS.at(-1)!;
  const numberOf = (atMs: number): number => Math.floor(atMs / stepMs);
  const first = numberOf(fromMs);
  const empty = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  const steps = Array.from({ length: numberOf(endMs) - first + 1 }, (_, index) => ({
    startMs: (first + index) * stepMs,
    counts: { ...empty },
  }));
  for (const { startMs, counts } of counted) {
    const step = steps[numberOf(startMs) - first];
    for (const name of names) if (step) step.counts[name] += counts[name];
  }
  return { stepMs, steps };
}
