import type { ReactNode } from "react";
import { GENRE_GROUPS, genreText } from "../genre-text.js";
import { KIND_GROUPS, kindText } from "../kind-text.js";
import type { PlaybookDraft, RuleForm } from "../playbook-draft.js";
import { PLAYBOOK_RANGES, type PlaybookFaults, type PlaybookNumber } from "../playbook-faults.js";
import { CheckBox } from "./check-box.js";
import { Choices } from "./choices.js";
import { Field } from "./field.js";
import { Select } from "./select.js";

const FORMS: readonly (readonly [RuleForm, string])[] = [
  ["kinds", "events"],
  ["genres", "incidents"],
  ["accountScoreAbove", "the score of an account"],
];

const ACCOUNTS = [
  ["acting", "accounts that attack"],
  ["all", "all accounts involved"],
  ["none", "no accounts"],
] as const;

const PREFIXES = [
  ["64", "the whole /64"],
  ["128", "only the address"],
] as const;

const PER = ["address", "account", "application"] as const;

interface FieldsProps {
  readonly draft: PlaybookDraft;
  readonly faults: PlaybookFaults;
  readonly onChange: (draft: PlaybookDraft) => void;
}

/** A playbook as rows: when it responds, and what it does then. */
export function PlaybookFields(props: FieldsProps): ReactNode {
  const { draft, faults, onChange } = props;
  const change = (part: Partial<PlaybookDraft>): void => onChange({ ...draft, ...part });
  return (
    <div className="form-rows">
      <Row title="Playbook">
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
      </Row>
      <RuleFields {...props} />
      <Row title="Then block">
        <NumberField title="Minutes" field="durationMinutes" {...props} />
        <label>
          Accounts
          <Select
            choices={ACCOUNTS}
            value={draft.accounts}
            onChange={(accounts) => change({ accounts })}
          />
        </label>
        <CheckBox
          title="Addresses"
          checked={draft.addresses}
          onChange={(addresses) => change({ addresses })}
        />
      </Row>
      <Row title="Addresses">
        <label>
          IPv6 network
          <Select
            choices={PREFIXES}
            value={draft.ipv6Prefix === 128 ? "128" : "64"}
            onChange={(bits) => change({ ipv6Prefix: Number(bits) })}
          />
        </label>
        <CheckBox
          title="Also private addresses"
          checked={draft.internalAddresses}
          onChange={(internalAddresses) => change({ internalAddresses })}
        />
      </Row>
    </div>
  );
}

function Row({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div className="form-row">
      <h2>{title}</h2>
      <div>{children}</div>
    </div>
  );
}

function RuleFields(props: FieldsProps): ReactNode {
  const { draft, faults, onChange } = props;
  const change = (part: Partial<PlaybookDraft>): void => onChange({ ...draft, ...part });
  const { form } = draft;
  return (
    <>
      <Row title="When">
        <label>
          It looks at
          <Select choices={FORMS} value={form} onChange={(to) => change({ form: to })} />
        </label>
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
      </Row>
      {form !== "accountScoreAbove" && (
        <Row title={form === "kinds" ? "Events" : "Incidents"}>
          {form === "kinds" ? (
            <Choices
              title="Kinds, at least one"
              fault={faults.kinds}
              groups={KIND_GROUPS}
              nameOf={kindText}
              chosen={draft.kinds}
              onChange={(kinds) => change({ kinds })}
            />
          ) : (
            <Choices
              title="Genres, at least one"
              fault={faults.genres}
              groups={GENRE_GROUPS}
              nameOf={genreText}
              chosen={draft.genres}
              onChange={(genres) => change({ genres })}
            />
          )}
        </Row>
      )}
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
