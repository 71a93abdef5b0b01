import type { IncidentGenre } from "@riskgate/api-types";
import { EVENT_KINDS, INCIDENT_GENRES } from "@riskgate/core";
import type { ReactNode } from "react";
import type { PlaybookDraft, RuleForm } from "../playbook-draft.js";
import { PLAYBOOK_RANGES, type PlaybookFaults, type PlaybookNumber } from "../playbook-faults.js";
import { CheckBox } from "./check-box.js";
import { Choices } from "./choices.js";
import { Field } from "./field.js";
import { Select } from "./select.js";

const FORMS: readonly (readonly [RuleForm, string])[] = [
  ["kinds", "events of some kinds"],
  ["genres", "incidents of some genres"],
  ["accountScoreAbove", "the score of an account"],
];

const GENRES = Object.keys(INCIDENT_GENRES) as readonly IncidentGenre[];

const ACCOUNTS = [
  ["acting", "those taking part"],
  ["all", "all involved"],
  ["none", "none"],
] as const;

const PER = ["address", "account", "application"] as const;

interface FieldsProps {
  readonly draft: PlaybookDraft;
  readonly faults: PlaybookFaults;
  readonly onChange: (draft: PlaybookDraft) => void;
}

export function PlaybookFields(props: FieldsProps): ReactNode {
  const { draft, faults, onChange } = props;
  const change = (part: Partial<PlaybookDraft>): void => onChange({ ...draft, ...part });
  return (
    <>
      <Field title="Name" fault={faults.name}>
        {(control) => (
          <input
            {...control}
            maxLength={128}
            value={draft.name}
            onChange={({ target }) => change({ name: target.value })}
          />
        )}
      </Field>
      <CheckBox
        title="In use"
        checked={draft.enabled}
        onChange={(enabled) => change({ enabled })}
      />
      <h2>When</h2>
      <RuleFields {...props} />
      <h2>Then</h2>
      <div className="columns">
        <NumberField title="Minutes that the response lasts" field="durationMinutes" {...props} />
        <label>
          Named accounts
          <Select
            choices={ACCOUNTS}
            value={draft.accounts}
            onChange={(accounts) => change({ accounts })}
          />
        </label>
        <label>
          Bits of an IPv6 address
          <Select
            choices={["64", "128"]}
            value={draft.ipv6Prefix === 128 ? "128" : "64"}
            onChange={(bits) => change({ ipv6Prefix: Number(bits) })}
          />
        </label>
      </div>
      <CheckBox
        title="Name the addresses"
        checked={draft.addresses}
        onChange={(addresses) => change({ addresses })}
      />
      <CheckBox
        title="Also those of private networks"
        checked={draft.internalAddresses}
        onChange={(internalAddresses) => change({ internalAddresses })}
      />
    </>
  );
}

function RuleFields(props: FieldsProps): ReactNode {
  const { draft, faults, onChange } = props;
  const change = (part: Partial<PlaybookDraft>): void => onChange({ ...draft, ...part });
  const { form } = draft;
  return (
    <>
      <label>
        It looks at
        <Select choices={FORMS} value={form} onChange={(to) => change({ form: to })} />
      </label>
      {form === "kinds" && (
        <Choices
          title="Kinds, at least one"
          fault={faults.kinds}
          words={EVENT_KINDS}
          chosen={draft.kinds}
          onChange={(kinds) => change({ kinds })}
        />
      )}
      {form === "genres" && (
        <Choices
          title="Genres, at least one"
          fault={faults.genres}
          words={GENRES}
          chosen={draft.genres}
          onChange={(genres) => change({ genres })}
        />
      )}
      <div className="columns">
        {form === "accountScoreAbove" ? (
          <NumberField title="Score above" field="accountScoreAbove" {...props} />
        ) : (
          <NumberField title="Events, at least" field="count" {...props} />
        )}
        {form === "kinds" && (
          <>
            <NumberField title="Within minutes" field="windowMinutes" {...props} />
            <label>
              Counted by
              <Select choices={PER} value={draft.per} onChange={(per) => change({ per })} />
            </label>
          </>
        )}
      </div>
    </>
  );
}

function NumberField({
  title,
  field,
  draft,
  faults,
  onChange,
}: FieldsProps & { readonly title: string; readonly field: PlaybookNumber }): ReactNode {
  const [min, max] = PLAYBOOK_RANGES[field];
  return (
    <Field title={title} fault={faults[field]}>
      {(control) => (
        <input
          {...control}
          type="number"
          step="any"
          min={min}
          max={max}
          value={Number.isNaN(draft[field]) ? "" : draft[field]}
          onChange={({ target }) => onChange({ ...draft, [field]: target.valueAsNumber })}
        />
      )}
    </Field>
  );
}
