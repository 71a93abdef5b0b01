/** On a phone, more bars than this merge into one area. */
const MAX_BARS = 96;

/** A chart with fewer bars would look like one with a few very busy moments. */
const MIN_BARS = 12;

const MINUTE_MS = 60_000;

/** Lengths of a bar that a reader of a clock expects. */
const LENGTHS = [5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440, 2_880, 10_080].map(
  (minutes) => minutes * MINUTE_MS,
);

export interface Counted<Name extends string> {
  readonly startMs: number;
  readonly counts: Readonly<Record<Name, number>>;
}

/**
 * Combines counts into the bars of a chart: from the first count to the end, without gaps, and as
 * long as needed for the chart to be readable.
 */
export function chartSteps<Name extends string>(
  counted: readonly Counted<Name>[],
  { names, endMs }: { readonly names: readonly Name[]; readonly endMs: number },
): { readonly stepMs: number; readonly steps: readonly Counted<Name>[] } {
  const firstMs = Math.min(endMs, ...counted.map(({ startMs }) => startMs));
  const stepMs =
    LENGTHS.find((length) => (endMs - firstMs) / length <= MAX_BARS) ?? LENGTHS.at(-1)!;
  const numberOf = (atMs: number): number => Math.floor(atMs / stepMs);
  const first = numberOf(firstMs);
  const empty = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  const steps = Array.from({ length: numberOf(endMs) - first + 1 }, (_, index) => ({
    startMs: (first + index) * stepMs,
    counts: { ...empty },
  }));
  for (const { startMs, counts } of counted) {
    const step = steps[numberOf(startMs) - first];
    for (const name of names) if (step) step.counts[name] += counts[name];
  }
  return { stepMs, steps: withLeadingSteps(steps, stepMs, empty) };
}

/** Adds empty steps before the first one if a chart would have too few. */
export function withLeadingSteps<Name extends string>(
  steps: readonly Counted<Name>[],
  stepMs: number,
  empty: Readonly<Record<Name, number>>,
): readonly Counted<Name>[] {
  const missing = Math.max(0, MIN_BARS - steps.length);
  const firstMs = steps[0]?.startMs ?? 0;
  const leading = Array.from({ length: missing }, (_, index) => ({
    startMs: firstMs - (missing - index) * stepMs,
    counts: empty,
  }));
  return [...leading, ...steps];
}
