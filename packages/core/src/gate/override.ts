import type { BlockList } from "./block-list.js";
import type { Decision } from "./decision.js";
import { normalizeIp } from "../address/ip-address.js";
import type { OptionReader } from "../base/options.js";
import { readSubjectList, type SubjectList } from "../address/subject-list.js";

/** Lists that decide without a lookup. */
export interface OverrideOptions {
  /** IP addresses, networks, emails and domains that pass without a lookup. */
  readonly allow?: readonly string[];
  /** The same, rejected without a lookup; wins over `allow`. */
  readonly deny?: readonly string[];
  /** Addresses and identifiers that are rejected for a while; `allow` wins over it. */
  readonly blockList?: BlockList;
}

/** What the lists decide about a request, or undefined. */
export type Override = (ip: string | undefined, email: string | undefined) => Verdict | undefined;

/** The part of a decision that a list determines. */
type Verdict = Pick<Decision, "outcome" | "because">;

const DENIED: Verdict = { outcome: "reject", because: "override" };
const ALLOWED: Verdict = { outcome: "allow", because: "override" };
const BLOCKED: Verdict = { outcome: "reject", because: "blocked" };

/**
 * Read the lists of a gate. In order of rank: what an operator denies, what an operator allows,
 * what is blocked for a while.
 *
 * @returns Undefined when there are no lists.
 * @throws {RiskGateError} CONFIG_INVALID for an entry that can never match.
 */
export function readOverride(options: OptionReader): Override | undefined {
  const deny = readSubjectList(options, "deny");
  const allow = readSubjectList(options, "allow");
  const blockList = options.object<BlockList>(
    "blockList",
    ["blocksIp", "blocksEmail"],
    "what `createBlockList` makes, or an object with its methods blocksIp and blocksEmail",
  );
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
