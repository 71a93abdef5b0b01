import { isThenable } from "../model/awaitable.js";
import type { BlockList } from "./block-list.js";
import type { Decision } from "../model/decision.js";
import type { ErrorHook } from "../base/error-report.js";
import { RiskGateError } from "../base/errors.js";
import { normalizeIp } from "../address/ip-address.js";
import type { OptionReader } from "../base/options.js";
import { readAllowList, readDenyList, type SubjectList } from "./subject-list.js";

/** Lists that decide without a lookup. */
export interface OverrideOptions {
  /**
   * IP addresses, networks, emails and domains that pass without a lookup. An email counts only
   * where it is exactly one valid mailbox, written as here but for its domain.
   */
  readonly allow?: readonly string[];
  /** The same, rejected without a lookup; wins over `allow`. Emails are compared by mailbox. */
  readonly deny?: readonly string[];
  /**
   * Whether `deny` passes over sub-addresses and what else a mail provider ignores, by the table in
   * `docs/mailboxes.md`; default true.
   */
  readonly providerRules?: boolean;
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
 * @param report Receives the failures of a block list of the application, which then blocks nothing.
 * @returns Undefined when there are no lists.
 * @throws {RiskGateError} CONFIG_INVALID for an entry that can never match.
 */
export function readOverride(options: OptionReader, report: ErrorHook): Override | undefined {
  const deny = readDenyList(options, "deny", options.boolean("providerRules", true));
  const allow = readAllowList(options, "allow");
  const blockList = options.object<BlockList>(
    "blockList",
    ["blocksIp", "blocksEmail"],
    "what `createBlockList` makes, or an object with its methods blocksIp and blocksEmail",
  );
  const ask = (name: "blocksIp" | "blocksEmail", subject: string): boolean => {
    let cause: unknown;
    try {
      const answer: unknown = blockList![name](subject);
      if (typeof answer === "boolean") return answer;
      // A promise is no answer, and must not end the process if it rejects.
      if (isThenable(answer)) answer.then(undefined, () => {});
      cause = new TypeError("expected true or false, and no promise");
    } catch (error) {
      cause = error;
    }
    report(new RiskGateError("HOOK_FAILED", `\`${name}\` of the block list failed`, { cause }));
    return false;
  };
  const blocked: SubjectList | undefined = blockList && {
    hasIp: (ip) => ask("blocksIp", ip),
    hasEmail: (email) => ask("blocksEmail", email),
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
