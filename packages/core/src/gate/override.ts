import type { BlockList } from "./block-list.js";
import type { Decision } from "./decision.js";
import { normalizeIp } from "../address/ip-address.js";
import { requireMethods } from "../base/option.js";
import { createSubjectList, type SubjectList } from "../address/subject-list.js";

/** Lists that decide without a lookup. */
export interface OverrideOptions {
  /** IP addresses, networks, emails and domains that pass without a lookup. */
  readonly allow?: readonly string[];
  /** The same, rejected without a lookup; wins over `allow`. */
  readonly deny?: readonly string[];
  /** Addresses and identifiers that are rejected for a while; `allow` wins over it. */
  readonly blockList?: BlockList;
}

/** What a list says about a request, or undefined. */
export type Override = (ip: string | undefined, email: string | undefined) => Verdict | undefined;

/** The part of a decision that a list settles. */
type Verdict = Pick<Decision, "outcome" | "because">;

const DENIED: Verdict = { outcome: "reject", because: "override" };
const ALLOWED: Verdict = { outcome: "allow", because: "override" };
const BLOCKED: Verdict = { outcome: "reject", because: "blocked" };

/**
 * Compile the lists of a gate, in the order of their rank: what an operator denies, what an operator
 * allows, what is blocked for a while.
 *
 * @returns undefined when there are no lists.
 * @throws {RiskGateError} CONFIG_INVALID for an entry that can never match.
 */
export function createOverride(options: OverrideOptions): Override | undefined {
  const deny = createSubjectList("deny", options.deny);
  const allow = createSubjectList("allow", options.allow);
  const { blockList } = options;
  if (blockList !== undefined) {
    requireMethods("blockList", blockList, ["blocksIp", "blocksEmail"]);
  }
  const blocked: SubjectList | undefined = blockList && {
    hasIp: (ip) => blockList.blocksIp(ip),
    hasEmail: (email) => blockList.blocksEmail(email),
  };
  if (!deny && !allow && !blocked) return undefined;
  return (address, email) => {
    const ip = normalizeIp(address);
    const isOn = (list: SubjectList | undefined): boolean =>
      list !== undefined &&
      ((ip !== undefined && list.hasIp(ip)) || (email !== undefined && list.hasEmail(email)));
    if (isOn(deny)) return DENIED;
    if (isOn(allow)) return ALLOWED;
    return isOn(blocked) ? BLOCKED : undefined;
  };
}
