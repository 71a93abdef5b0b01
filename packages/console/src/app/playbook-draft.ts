import type {
  EventKind,
  IncidentGenre,
  NewPlaybook,
  Playbook,
  PlaybookRule,
} from "@riskgate/api-types";

const RULE_FORMS = ["kinds", "genres", "accountScoreAbove"] as const;
export type RuleForm = (typeof RULE_FORMS)[number];

/** A playbook in the editor, with the members of all rule types. */
export interface PlaybookDraft {
  readonly name: string;
  readonly enabled: boolean;
  readonly form: RuleForm;
  readonly kinds: readonly EventKind[];
  readonly genres: readonly IncidentGenre[];
  readonly accountScoreAbove: number;
  readonly count: number;
  readonly windowMinutes: number;
  readonly per: NonNullable<PlaybookRule["per"]>;
  readonly durationMinutes: number;
  readonly addresses: boolean;
  readonly accounts: "acting" | "all" | "none";
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

export function draftOf(playbook: Playbook | undefined): PlaybookDraft {
  if (!playbook) return EMPTY;
  const { name, enabled } = playbook;
  const response = playbook.response as Partial<PlaybookDraft> & { readonly durationMs?: number };
  const { windowMs, ...ruleMembers } = playbook.rule;
  const { durationMs, ...responseMembers } = response;
  return {
    ...EMPTY,
    ...ruleMembers,
    ...responseMembers,
    name,
    enabled,
    form: RULE_FORMS.find((form) => form in playbook.rule) ?? "kinds",
    ...(windowMs !== undefined && { windowMinutes: windowMs / MINUTE_MS }),
    ...(durationMs !== undefined && { durationMinutes: durationMs / MINUTE_MS }),
  };
}

export function settingsOf(draft: PlaybookDraft): NewPlaybook {
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
}: PlaybookDraft): PlaybookRule {
  if (form === "accountScoreAbove") return { accountScoreAbove };
  if (form === "genres") return { genres, count };
  const { windowMinutes, per } = draft;
  return { kinds, count, windowMs: Math.round(windowMinutes * MINUTE_MS), per };
}
