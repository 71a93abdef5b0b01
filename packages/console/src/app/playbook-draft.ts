import type { Playbook } from "./administration.js";

/** What a rule of a playbook is about. */
const RULE_FORMS = ["kinds", "genres", "accountScoreAbove"] as const;
export type RuleForm = (typeof RULE_FORMS)[number];

/** A playbook as it is edited: with what each form of the rule needs. */
export interface PlaybookDraft {
  readonly name: string;
  readonly enabled: boolean;
  readonly form: RuleForm;
  readonly kinds: readonly string[];
  readonly genres: readonly string[];
  readonly accountScoreAbove: number;
  readonly count: number;
  readonly windowMinutes: number;
  readonly per: string;
  readonly durationMinutes: number;
  readonly addresses: boolean;
  readonly accounts: string;
  readonly ipv6Prefix: number;
  readonly internalAddresses: boolean;
}

const MINUTE_MS = 60_000;

const EMPTY: PlaybookDraft = {
  name: "",
  enabled: true,
  form: "kinds",
  kinds: [],
  genres: [],
  accountScoreAbove: 80,
  count: 1,
  windowMinutes: 10,
  per: "address",
  durationMinutes: 60,
  addresses: true,
  accounts: "acting",
  ipv6Prefix: 64,
  internalAddresses: false,
};

/** A draft of a stored playbook, or of a new one. */
export function draftOf(playbook: Playbook | undefined): PlaybookDraft {
  if (!playbook) return EMPTY;
  const { name, enabled } = playbook;
  const rule = playbook.rule as Partial<PlaybookDraft> & { readonly windowMs?: number };
  const response = playbook.response as Partial<PlaybookDraft> & { readonly durationMs?: number };
  const { windowMs, ...ruleMembers } = rule;
  const { durationMs, ...responseMembers } = response;
  return {
    ...EMPTY,
    ...ruleMembers,
    ...responseMembers,
    name,
    enabled,
    form: RULE_FORMS.find((form) => form in rule) ?? "kinds",
    ...(windowMs !== undefined && { windowMinutes: windowMs / MINUTE_MS }),
    ...(durationMs !== undefined && { durationMinutes: durationMs / MINUTE_MS }),
  };
}

/** What the service takes of a draft; it checks all of it. */
export function settingsOf(draft: PlaybookDraft): object {
  const { name, enabled, addresses, accounts, ipv6Prefix, internalAddresses } = draft;
  return {
    name,
    enabled,
    rule: ruleOf(draft),
    response: {
      durationMs: Math.round(draft.durationMinutes * MINUTE_MS),
      addresses,
      accounts,
      ipv6Prefix,
      internalAddresses,
    },
  };
}

function ruleOf({
  form,
  kinds,
  genres,
  accountScoreAbove,
  count,
  ...draft
}: PlaybookDraft): object {
  if (form === "accountScoreAbove") return { accountScoreAbove };
  if (form === "genres") return { genres, count };
  const { windowMinutes, per } = draft;
  return { kinds, count, windowMs: Math.round(windowMinutes * MINUTE_MS), per };
}
