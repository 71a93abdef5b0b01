import type { IncidentGenre } from "@riskgate/api-types";
import { EVENT_KINDS, INCIDENT_GENRES } from "@riskgate/core";
import type { ReactNode } from "react";
import type { PlaybookDraft, RuleForm } from "../playbook-draft.js";
import { PLAYBOOK_RANGES, type PlaybookFaults, type PlaybookNumber } from "../playbook-faults.js";
import { Choices } from "./choices.js";
import { Field } from "./field.js";

const FORMS: readonly (readonly [RuleForm, string])[] = [
  ["kinds", "events of some kinds"],
  ["genres", "incidents of some genres"],
  ["accountScoreAbove", "the score of an account"],
];

const GENRES = Object.keys(INCIDENT_GENRES) as readonly IncidentGenre[];

interface FieldsProps {
  readonly draft: PlaybookDraft;
  readonly faults: PlaybookFaults;
  readonly onChange: (draft: PlaybookDraft) => void;
}

/** The form of a playbook. */
export function PlaybookFields({ draft, faults, onChange }: FieldsProps): ReactNode {
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
      <label className="check">
        <input
          type="checkbox"
          checked={draft.enabled}
          onChange={({ target }) => change({ enabled: target.checked })}
        />
        In use
      </label>
      <h2>When</h2>
      <RuleFields draft={draft} faults={faults} onChange={onChange} />
      <h2>Then</h2>
      <div className="columns">
        <NumberField
          title="Minutes that the response lasts"
          field="durationMinutes"
          draft={draft}
          faults={faults}
          onChange={onChange}
        />
        <label>
          Named accounts
          <select
            value={draft.accounts}
            onChange={({ target }) => change({ accounts: target.value })}
          >
            <option value="acting">those taking part</option>
            <option value="all">all involved</option>
            <option value="none">none</option>
          </select>
        </label>
        <label>
          Bits of an IPv6 address
          <select
            value={draft.ipv6Prefix}
            onChange={({ target }) => change({ ipv6Prefix: Number(target.value) })}
          >
            <option>64</option>
            <option>128</option>
          </select>
        </label>
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={draft.addresses}
          onChange={({ target }) => change({ addresses: target.checked })}
        />
        Name the addresses
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={draft.internalAddresses}
          onChange={({ target }) => change({ internalAddresses: target.checked })}
        />
        Also those of private networks
      </label>
    </>
  );
}

function RuleFields({ draft, faults, onChange }: FieldsProps): ReactNode {
  const change = (part: Partial<PlaybookDraft>): void => onChange({ ...draft, ...part });
  const { form } = draft;
  return (
    <>
      <label>
        It looks at
        <select value={form} onChange={({ target }) => change({ form: target.value as RuleForm })}>
          {FORMS.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
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
        {form === "accountScoreAbove" && (
          <NumberField
            title="Score above"
            field="accountScoreAbove"
            draft={draft}
            faults={faults}
            onChange={onChange}
          />
        )}
        {form !== "accountScoreAbove" && (
          <NumberField
            title="Events, at least"
            field="count"
            draft={draft}
            faults={faults}
            onChange={onChange}
          />
        )}
        {form === "kinds" && (
          <>
            <NumberField
              title="Within minutes"
              field="windowMinutes"
              draft={draft}
              faults={faults}
              onChange={onChange}
            />
            <label>
              Counted by
              <select
                value={draft.per}
                onChange={({ target }) => change({ per: target.value as PlaybookDraft["per"] })}
              >
                <option>address</option>
                <option>account</option>
                <option>application</option>
              </select>
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
