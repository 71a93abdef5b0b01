import type { Decision, Evidence, Fault, Outcome, Skipped } from "../model/decision.js";
import type { MadeDecision } from "./log-step.js";
import type { IdentityDigest } from "./identity-digest.js";
import { type PolicyTerms, whenMissing } from "../model/policy-terms.js";
import type { Assessment, IpAssessment, Source } from "../model/assessment.js";
import type { FlagOutcomes } from "../model/flag-outcomes.js";
import type { AttackReading } from "../model/attack.js";
import type { DeviceStanding } from "../model/devices.js";
import type { VelocityReading } from "../model/velocity-reading.js";

/**
 * One decision in a log: a line of JSON without plain addresses. Described in `docs/rehearsal.md`.
 */
export interface DecisionRecord {
  /** Version of the record format. */
  readonly v: 1;
  /** Id of the decision; absent in records of earlier versions. */
  readonly id?: string;
  /** Time of the decision, in ISO 8601 and UTC. */
  readonly at: string;
  /** Method and path pattern; null if the route is unknown. */
  readonly route: string | null;
  readonly outcome: Outcome;
  readonly enforced: boolean;
  readonly because: Decision["because"];
  /** Highest score, 0 to 100; null without a score. */
  readonly score: number | null;
  readonly ip: RecordedEvidence;
  readonly email: RecordedEvidence;
  /** Thresholds in effect; `own` if the application's policy decided. */
  readonly policy: {
    readonly flagAbove: number;
    /** Absent if no score is challenged. */
    readonly challengeAbove?: number;
    readonly rejectAbove: number;
    /** Outcomes of flags; absent without the option `outcomes`. */
    readonly outcomes?: FlagOutcomes;
    readonly own?: true;
  };
  /** Subjects over their limit; absent if no subject is. */
  readonly velocity?: VelocityReading;
  readonly rule?: string;
  /** The flag that decided, by the option `outcomes`; absent if none did. */
  readonly flag?: Decision["flag"];
  /** Whether the account has logged in from this browser; absent without `device` or an email. */
  readonly device?: DeviceStanding;
  /** The route was under attack; absent for known devices. */
  readonly attack?: AttackReading;
}

export type RecordedEvidence = (
  | {
      readonly state: "scored";
      readonly score: number;
      readonly source: Source;
      /** Names of `is_` members of the assessment that are true. */
      readonly flags: readonly string[];
      /** ISO 3166 alpha-3 code, for an IP address. */
      readonly country?: string;
    }
  | {
      readonly state: "skipped";
      readonly why: Skipped["why"];
      readonly outcome?: Outcome;
    }
  | {
      readonly state: "failed";
      readonly fault: Fault;
      /** The policy's outcome for this fault. */
      readonly outcome: Outcome;
    }
) & {
  /** Keyed digest of the identifier, 32 hex digits; absent without an identifier. */
  readonly digest?: string;
};

/** Checked, because an application's lookup may return members with any name. */
const FLAG = /^is_[a-z0-9_]{1,40}$/;
const MAX_FLAGS = 16;
const COUNTRY = /^[A-Z]{2,3}$/;
const MAX_ROUTE = 200;

/** Creates a record of a decision, without its identifiers. */
export function recordOf(made: MadeDecision, digest: IdentityDigest, atMs: number): DecisionRecord {
  const { decision, terms, route } = made;
  const { id, outcome, enforced, because, score, ip, email, velocity, rule, flag, device, attack } =
    decision;
  const { flagAbove, challengeAbove, rejectAbove, outcomes, isOwn } = terms;
  const country = countryOf(ip);
  return {
    v: 1,
    id,
    at: new Date(atMs).toISOString(),
    route: route === undefined ? null : route.slice(0, MAX_ROUTE).toWellFormed(),
    outcome,
    enforced,
    because,
    score,
    ip: { ...evidenceOf(ip, terms), ...country, ...digestOf(digest.ip(made.ip)) },
    email: { ...evidenceOf(email, terms), ...digestOf(digest.email(made.email)) },
    policy: {
      flagAbove,
      ...(challengeAbove < rejectAbove && { challengeAbove }),
      rejectAbove,
      ...(outcomes && { outcomes }),
      ...(isOwn && { own: true }),
    },
    ...(velocity && { velocity }),
    ...(rule && { rule: rule.name }),
    ...(flag && { flag }),
    ...(device && { device }),
    ...(attack && { attack }),
  };
}

function evidenceOf(evidence: Evidence<Assessment>, terms: PolicyTerms): RecordedEvidence {
  if (evidence.state === "scored") {
    const { assessment, source } = evidence;
    return { state: "scored", score: assessment.risk_score, source, flags: flagsOf(assessment) };
  }
  const outcome = whenMissing(evidence, terms.whenUnavailable);
  if (evidence.state === "failed") return { ...evidence, outcome: outcome! };
  return { ...evidence, ...(outcome && { outcome }) };
}

function flagsOf(assessment: Assessment): string[] {
  const names = Object.keys(assessment).filter(
    (name) => assessment[name] === true && FLAG.test(name),
  );
  return names.slice(0, MAX_FLAGS);
}

function countryOf(ip: Evidence<IpAssessment>): { readonly country?: string } {
  if (ip.state !== "scored") return {};
  const code: unknown = ip.assessment.ip_geo?.country_code;
  return typeof code === "string" && COUNTRY.test(code) ? { country: code } : {};
}

function digestOf(digest: string | undefined): { readonly digest?: string } {
  return digest === undefined ? {} : { digest };
}
