import type { EmailAssessment, IpAssessment, Scored } from "./assessment.js";
import type { FlagName } from "./flags.js";
import type { AttackReading } from "./attack.js";
import type { DeviceStanding } from "./devices.js";
import type { VelocityReading } from "./velocity-reading.js";

/** Every outcome, from the softest to the hardest. */
export const OUTCOMES = ["allow", "flag", "challenge", "reject"] as const;

export type Outcome = (typeof OUTCOMES)[number];

export const BECAUSE = [
  "score",
  "flag",
  "override",
  "blocked",
  "rule",
  "unavailable",
  "nothing_to_score",
  "no_address_data",
  "attack_mode",
  "challenge_passed",
] as const;

export const FAULTS = [
  "timeout",
  "network",
  "rate_limited",
  "unauthorized",
  "server",
  "unreadable",
] as const;

/** Why a lookup returned no assessment. */
export type Fault = (typeof FAULTS)[number];

export const SKIPPED_BECAUSE = ["absent", "not_public", "unusable", "override"] as const;

/** No lookup was made: there is nothing to look up, or a list has already decided. */
export interface Skipped {
  readonly state: "skipped";
  readonly why: (typeof SKIPPED_BECAUSE)[number];
}

/** A lookup was made and returned no assessment. */
export interface Failed {
  readonly state: "failed";
  readonly fault: Fault;
}

/** An identifier as passed to the gate, or the reason why none can be looked up. */
export type Fact = string | Skipped | Failed;

export type Evidence<T> = Scored<T> | Skipped | Failed;

export interface EvidencePair {
  readonly ip: Evidence<IpAssessment>;
  readonly email: Evidence<EmailAssessment>;
  /** Subjects over their limit; absent if no subject is. */
  readonly velocity?: VelocityReading;
  /** Whether the account has logged in from this browser; absent without `device` or an email. */
  readonly device?: DeviceStanding;
  /** The route is under attack; absent for known devices, and without `attackMode`. */
  readonly attack?: AttackReading;
}

/** Outcome with its reasons. */
export interface Decision extends EvidencePair {
  /**
   * Random UUID, new for each decision; also in the body of a refusal, in the log and in traces.
   */
  readonly id: string;
  readonly outcome: Outcome;
  /** False in observe mode: the outcome is reported but not enforced. */
  readonly enforced: boolean;
  /**
   * The reason: a score, a flag in `outcomes`, an allow or deny list, the block list, an operator
   * rule, an application step, a failed lookup, no score, a score of 0 from an engine without
   * address data, attack mode, a challenge that the client passed, or an email that is not a string,
   * which only `onReject` receives.
   */
  readonly because: (typeof BECAUSE)[number] | "identifier_invalid";
  /** The rule or step that decided or required the challenge; absent if none did. */
  readonly rule?: { readonly name: string; readonly note?: string };
  /** The flag that decided, by the option `outcomes`; absent if none did. */
  readonly flag?: FlagName;
  /**
   * Highest score including velocity points, 0 to 100; null (which is not 0) without a score.
   * Points of subjects that others can fill raise it up to `rejectAbove`.
   */
  readonly score: number | null;
}
