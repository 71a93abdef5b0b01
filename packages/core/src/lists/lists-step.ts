import { normalizeIp } from "../address/ip-address.js";
import { callSyncHook } from "../base/call-hook.js";
import type { ErrorHook } from "../base/error-report.js";
import type { OptionReader } from "../base/options.js";
import type { GateContext } from "../decision/gate-context.js";
import type { Step, Verdict } from "../decision/step.js";
import { textOf } from "../model/fact.js";
import type { BlockList } from "./block-list.js";
import { readAllowList, readDenyList, type SubjectList } from "./subject-list.js";

/** Lists that decide without a lookup. */
export interface ListsOptions {
  /**
   * IP addresses, networks, emails and domains that pass without a lookup. An email matches only if
   * it is exactly one valid mailbox, spelled as in the list except for its domain.
   */
  readonly allow?: readonly string[];
  /** Like `allow`, but rejected; overrides `allow`. Emails are compared by mailbox. */
  readonly deny?: readonly string[];
  /**
   * Whether `deny` ignores sub-addresses and other differences that a mail provider ignores
   * (`docs/mailboxes.md`); default true.
   */
  readonly providerRules?: boolean;
  /** Addresses and identifiers that are rejected temporarily; `allow` overrides it. */
  readonly blockList?: BlockList;
}

/** The step that applies a gate's lists. */
export interface ListsStep extends Step {
  before(context: Pick<GateContext, "ip" | "email">): Verdict | undefined;
}

const DENIED: Verdict = { outcome: "reject", because: "override" };
const ALLOWED: Verdict = { outcome: "allow", because: "override" };
const BLOCKED: Verdict = { outcome: "reject", because: "blocked" };

/**
 * Reads a gate's lists. `deny` overrides `allow`, which overrides `blockList`.
 *
 * @param report Receives errors of the application's own block list, which then blocks nothing.
 * @returns Undefined without lists.
 * @throws {RiskGateError} CONFIG_INVALID for an entry that can never match.
 */
export function readLists(options: OptionReader, report: ErrorHook): ListsStep | undefined {
  const deny = readDenyList(options, "deny", options.boolean("providerRules", true));
  const allow = readAllowList(options, "allow");
  const blockList = options.object<BlockList>(
    "blockList",
    ["blocksIp", "blocksEmail"],
    "a block list, as created by createBlockList()",
  );
  const isBlocked = (name: "blocksIp" | "blocksEmail", subject: string): boolean =>
    callSyncHook(`\`${name}\` of the block list`, () => blockList![name](subject), {
      report,
      expects: readBoolean,
      otherwise: false,
    });
  const blocked: SubjectList | undefined = blockList && {
    hasIp: (ip) => isBlocked("blocksIp", ip),
    hasEmail: (email) => isBlocked("blocksEmail", email),
  };
  if (!deny && !allow && !blocked) return undefined;
  return {
    name: "lists",
    before(context) {
      const ip = normalizeIp(textOf(context.ip));
      const email = textOf(context.email);
      const isOn = (list: SubjectList | undefined): boolean =>
        list !== undefined &&
        ((ip !== undefined && list.hasIp(ip)) || (email !== undefined && list.hasEmail(email)));
      if (isOn(deny)) return DENIED;
      if (isOn(allow)) return ALLOWED;
      return isOn(blocked) ? BLOCKED : undefined;
    },
  };
}

function readBoolean(value: unknown): boolean {
  if (typeof value === "boolean") return value;
  throw new TypeError("expected true or false, not a promise");
}
