/** How much is done at a time. */
export interface StepSizes {
  /** Entries in one statement that appends: enough to share its cost, few enough to end soon. */
  readonly appended: number;
  /** Entries in one batch of detection. */
  readonly detected: number;
  /** Incidents in one transaction of a sweep. */
  readonly swept: number;
}

/**
 * Returns the sizes for a database. Only a shared one works in another process: an embedded one holds up
 * every request during a step.
 */
export function stepSizes({ isShared }: { readonly isShared: boolean }): StepSizes {
  return isShared
    ? { appended: 2_000, detected: 1_000, swept: 200 }
    : { appended: 200, detected: 100, swept: 50 };
}
