import type { EmailAssessment, IpAssessment, Scored } from "./assessment.js";
import type { VelocityReading } from "./velocity.js";

/** Every outcome, from the softest to the hardest. */
export const OUTCOMES = ["allow", "flag", "challenge", "reject"] as const;

/** What should happen to a request. */
export type Outcome = (typeof OUTCOMES)[number];

/** Why a lookup gave no assessment. */
export type Fault =
  "timeout" | "network" | "rate_limited" | "unauthorized" | "server" | "unreadable";

/** No lookup was made: there is nothing to ask about, or a list has already decided. */
export interface Skipped {
  readonly state: "skipped";
  readonly why: "absent" | "not_public" | "unusable" | "override";
}

/** A lookup was made and gave no assessment. */
export interface Failed {
  readonly state: "failed";
  readonly fault: Fault;
}

/** What is known about one identifier of a request. */
export type Evidence<T> = Scored<T> | Skipped | Failed;

/** What is known about both identifiers of a request. */
export interface EvidencePair {
  readonly ip: Evidence<IpAssessment>;
  readonly email: Evidence<EmailAssessment>;
  /** What comes too often; left out where nothing does, or nothing is counted. */
  readonly velocity?: VelocityReading;
}

/** Outcome with its reasons. */
export interface Decision extends EvidencePair {
  /** What should happen. */
  readonly outcome: Outcome;
  /** False in observe mode: the outcome is reported and not enforced. */
  readonly enforced: boolean;
  /**
   * What decided: a score, an allow or deny list, the block list, a rule of the operator, a lookup
   * that failed, nothing, or a challenge that the client has passed.
   */
  readonly because:
    | "score"
    | "override"
    | "blocked"
    | "rule"
    | "unavailable"
    | "nothing_to_score"
    | "challenge_passed";
  /** The rule that decided, also where it asked for the challenge; left out where none did. */
  readonly rule?: { readonly name: string; readonly note?: string };
  /**
   * Highest score obtained, and what velocity adds to it, 0 to 100; null, which is not 0, when there
   * is none.
   */
  readonly score: number | null;
}
