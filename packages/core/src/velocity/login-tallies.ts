import type { Tally } from "./velocity-store.js";

export type LoginEnd = "failed" | "succeeded";

export interface LoginCounters {
  /** Failures of the accounts that the email may name, from any address. */
  readonly mailbox: readonly string[];
  /** Accounts that failed at an address or network, and have not succeeded there since. */
  readonly failed: readonly string[];
  /** Accounts that succeeded there, in the same order. */
  readonly succeeded: readonly string[];
}

/**
 * Failures count at an address or network if more than this share of its accounts fails. Behind a
 * shared address, far fewer fail; of an attacker's guesses, nearly all.
 */
const MIN_FAILED_SHARE = 1 / 3;

export function counterOf(prefix: string, text: string, end: LoginEnd): string {
  return `${prefix}${end} ${text}`;
}

export function loginTallies(
  { mailbox, failed, succeeded }: LoginCounters,
  end: LoginEnd,
  account: string | undefined,
  windowMs: number,
): readonly Tally[] {
  const adds = { windowMs, adds: true };
  const tallies: Tally[] = [];
  if (end === "failed") {
    tallies.push({ ...adds, counters: mailbox });
    // Without a known account, each failure counts.
    tallies.push({
      ...adds,
      counters: failed,
      ...(account !== undefined && { distinct: account }),
    });
  } else if (account !== undefined) {
    tallies.push({ ...adds, counters: succeeded, distinct: account });
    tallies.push({ windowMs, adds: false, counters: failed, distinct: account, takesBack: true });
  }
  return tallies.filter(({ counters }) => counters.length > 0);
}

/** Returns the failures that count: all of them, or none if too many accounts succeed. */
export function countedFailures(failed: number, succeeded: number): number {
  return failed > (failed + succeeded) * MIN_FAILED_SHARE ? failed : 0;
}
