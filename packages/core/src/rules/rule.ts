/** Flags of assessments, in the spelling of the wire. */
export const RULE_FLAGS = [
  "is_known_attacker",
  "is_datacenter",
  "is_vpn",
  "is_proxy",
  "is_private",
  "is_tor",
  "is_disposable",
  "is_email_malformed",
  "is_email_harmful",
  "is_undeliverable",
] as const;

/** Name of a flag; a flag of both assessments holds if either has it. */
export type RuleFlag = (typeof RULE_FLAGS)[number];

/** Flags in combination: everything that is given must hold. */
export interface FlagConditions {
  readonly all?: readonly RuleFlag[];
  readonly any?: readonly RuleFlag[];
  readonly none?: readonly RuleFlag[];
}

/**
 * When a rule holds: every condition that is given must hold. A condition about something unknown
 * does not hold, and neither does its opposite under `not`.
 */
export interface RuleConditions {
  /** The IP address is in one of these countries: codes of ISO 3166-1, of two or three letters. */
  readonly country?: readonly string[];
  /** The IP address was assessed, and its country is unknown (or known, for false). */
  readonly countryUnknown?: boolean;
  /** The IP address belongs to one of these autonomous systems. */
  readonly asn?: readonly number[];
  /** The IP address was assessed, and its autonomous system is unknown (or known, for false). */
  readonly asnUnknown?: boolean;
  /** The email address is in one of these domains, or in a sub-domain of one. */
  readonly domain?: readonly string[];
  /** The email was assessed, and the age of its domain is unknown (or known, for false). */
  readonly domainAgeUnknown?: boolean;
  readonly flags?: FlagConditions;
  /** The score is strictly above this, 0 to 100. */
  readonly scoreAbove?: number;
  /** The score is this or below, 0 to 100. */
  readonly scoreAtMost?: number;
  /**
   * The path of the request is one of these, without its query; `/api/*` is everything below `/api`.
   * Letter case, a slash at the end and percent-encoding make no difference.
   */
  readonly path?: readonly string[];
  /** These conditions, taken together, do not hold. */
  readonly not?: RuleConditions;
}

/** One operator rule. `Outcome` is the union that its reader supports. */
export interface OperatorRule<Outcome extends string> {
  /** Unique name, which a decision by the rule contains. */
  readonly name: string;
  readonly when: RuleConditions;
  readonly outcome: Outcome;
  /** The reason, for people. */
  readonly note?: string;
}
