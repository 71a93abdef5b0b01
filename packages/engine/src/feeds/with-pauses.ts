import { setImmediate } from "node:timers/promises";

/** Entries between two pauses. */
const STRIDE = 4096;

/** Yields entries with pauses for other work: a list of a million must not delay lookups. */
export async function withPauses(
  entries: Iterable<string>,
  take: (entry: string) => void,
): Promise<void> {
  let taken = 0;
  for (const entry of entries) {
    take(entry);
    if (++taken % STRIDE === 0) await setImmediate();
  }
}
