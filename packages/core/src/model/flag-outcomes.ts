import type { EvidencePair } from "./decision.js";
import { FLAG_NAMES, flagIn, type FlagName, wireFlagOf } from "./flags.js";

/** Outcomes that flags can cause, from the hardest to the softest. */
export const FLAG_OUTCOMES = ["reject", "challenge", "flag"] as const;

/** The flags that cause each outcome; a flag is in at most one list. */
export type FlagOutcomes = {
  readonly [Name in (typeof FLAG_OUTCOMES)[number]]?: readonly FlagName[];
};

export interface FlagOutcome {
  readonly outcome: (typeof FLAG_OUTCOMES)[number];
  readonly flag: FlagName;
}

/** Returns the hardest outcome that the flags of the evidence cause; undefined if none do. */
export function flagOutcomeOf(
  { ip, email }: EvidencePair,
  outcomes: FlagOutcomes,
): FlagOutcome | undefined {
  const ofIp = ip.state === "scored" ? { ip: ip.assessment } : {};
  const both = email.state === "scored" ? { ...ofIp, email: email.assessment } : ofIp;
  for (const outcome of FLAG_OUTCOMES) {
    const flag = outcomes[outcome]?.find((name) => {
      // Others can make an email a known attacker, so only the address's own history refuses.
      const isShared = outcome === "reject" && name === "known_attacker";
      return flagIn(isShared ? ofIp : both, wireFlagOf(name)) === true;
    });
    if (flag) return { outcome, flag };
  }
  return undefined;
}

/** Returns true if a value of any origin can be used as outcomes of flags. */
export function isFlagOutcomes(value: unknown): value is FlagOutcomes {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const lists: readonly unknown[] = Object.values(value);
  const flags: readonly unknown[] = lists.flat();
  return (
    Object.keys(value).every((name) => FLAG_OUTCOMES.some((known) => known === name)) &&
    lists.every(Array.isArray) &&
    flags.every((flag) => FLAG_NAMES.some((known) => known === flag)) &&
    new Set(flags).size === flags.length
  );
}
