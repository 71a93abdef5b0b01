import type { DeviceStanding } from "../model/devices.js";
import type { VelocitySignal } from "../model/velocity-reading.js";
import type { NetworkKind } from "./network-kind.js";
import { FLAG_NAMES, type FlagName, WIRE_FLAGS, type WireFlag } from "../model/flags.js";

/** Flags in both spellings: `tor` is the same as `is_tor`. */
export const RULE_FLAGS: readonly RuleFlag[] = [...FLAG_NAMES, ...WIRE_FLAGS];

/** Name of a flag; a flag of both assessments holds if either has it. */
export type RuleFlag = FlagName | WireFlag;

/** Combination of flags: all given members must hold. */
export interface FlagConditions {
  readonly all?: readonly RuleFlag[];
  readonly any?: readonly RuleFlag[];
  readonly none?: readonly RuleFlag[];
}

/**
 * Conditions of a rule: all given ones must hold. A condition about an unknown fact does not hold,
 * and neither does its negation under `not`.
 */
export interface RuleConditions {
  /** The IP address is in one of these networks: addresses, or CIDRs. Only for rules of the service. */
  readonly network?: readonly string[];
  /** The email names one of these mailboxes, in any spelling. Only for rules of the service. */
  readonly email?: readonly string[];
  /** The IP address is in one of these countries: ISO 3166-1 codes of two or three letters. */
  readonly country?: readonly string[];
  /** The IP address was assessed, and its country is unknown (or known, for false). */
  readonly countryUnknown?: boolean;
  /** The IP address belongs to one of these autonomous systems. */
  readonly asn?: readonly number[];
  /** The IP address was assessed, and its autonomous system is unknown (or known, for false). */
  readonly asnUnknown?: boolean;
  /** The email address is at one of these domains or their subdomains. */
  readonly domain?: readonly string[];
  /** The email was assessed, and the age of its domain is unknown (or known, for false). */
  readonly domainAgeUnknown?: boolean;
  readonly flags?: FlagConditions;
  /** The browser is one of these to the account; unknown without `device`. Only for rules of a gate. */
  readonly device?: readonly DeviceStanding[];
  /**
   * Headers of the request by name: `true` if it is present, `false` if it is absent, or patterns of
   * its value, in which `*` stands for any text. Letter case is ignored. Only for rules of a gate.
   */
  readonly header?: Readonly<Record<string, boolean | readonly string[]>>;
  /** The header `User-Agent` has one of these patterns. Only for rules of a gate. */
  readonly userAgent?: readonly string[];
  /**
   * One of these velocity subjects is over its limit, such as `mailbox` or `by.card`. If the rule
   * rejects, only `address` and `ipv6_64` can match. Only for rules of a gate.
   */
  readonly velocity?: readonly VelocitySignal["name"][];
  /** The IP address is in a network of one of these kinds. */
  readonly networkKind?: readonly NetworkKind[];
  /** The score is strictly above this, 0 to 100. */
  readonly scoreAbove?: number;
  /** The score is at most this, 0 to 100. */
  readonly scoreAtMost?: number;
  /**
   * The request path, without its query, is one of these; `/api/*` matches everything below `/api`.
   * Letter case, a trailing slash and percent-encoding are ignored.
   */
  readonly path?: readonly string[];
  /** These conditions, taken together, do not hold. */
  readonly not?: RuleConditions;
}

/** One operator rule. `Outcome` is the union of outcomes that its consumer supports. */
export interface OperatorRule<Outcome extends string> {
  /** Unique name, included in decisions by this rule. */
  readonly name: string;
  readonly when: RuleConditions;
  readonly outcome: Outcome;
  /** Human-readable reason. */
  readonly note?: string;
}
