import type { ReactNode } from "react";
import type { PlaybookDraft, RuleForm } from "../playbook-draft.js";
import { Choices } from "./choices.js";
import { useVocabulary } from "./vocabulary.js";

const FORMS: readonly (readonly [RuleForm, string])[] = [
  ["kinds", "events of some kinds"],
  ["genres", "incidents of some genres"],
  ["accountScoreAbove", "the score of an account"],
];

interface FieldsProps {
  readonly draft: PlaybookDraft;
  readonly onChange: (draft: PlaybookDraft) => void;
}

/** The form of a playbook. */
export function PlaybookFields({ draft, onChange }: FieldsProps): ReactNode {
  const change = (part: Partial<PlaybookDraft>): void => onChange({ ...draft, ...part });
  return (
    <>
      <label>
        Name
        <input
          required
          maxLength={128}
          value={draft.name}
          onChange={({ target }) => change({ name: target.value })}
        />
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={draft.enabled}
          onChange={({ target }) => change({ enabled: target.checked })}
        />
        In use
      </label>
      <h2>When</h2>
      <RuleFields draft={draft} onChange={onChange} />
      <h2>Then</h2>
      <div className="columns">
        <NumberField
          title="Minutes that the response lasts"
          value={draft.durationMinutes}
          min={1}
          max={43_200}
          onChange={(durationMinutes) => change({ durationMinutes })}
        />
        <label>
          Accounts that are named
          <select
            value={draft.accounts}
            onChange={({ target }) => change({ accounts: target.value })}
          >
            <option value="acting">those that take part</option>
            <option value="all">all concerned</option>
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

function RuleFields({ draft, onChange }: FieldsProps): ReactNode {
  const change = (part: Partial<PlaybookDraft>): void => onChange({ ...draft, ...part });
  const { eventKinds, incidentGenres } = useVocabulary();
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
          title="Kinds"
          words={eventKinds}
          chosen={draft.kinds}
          onChange={(kinds) => change({ kinds })}
        />
      )}
      {form === "genres" && (
        <Choices
          title="Genres"
          words={incidentGenres}
          chosen={draft.genres}
          onChange={(genres) => change({ genres })}
        />
      )}
      <div className="columns">
        {form === "accountScoreAbove" && (
          <NumberField
            title="Score above"
            value={draft.accountScoreAbove}
            min={0}
            max={100}
            onChange={(accountScoreAbove) => change({ accountScoreAbove })}
          />
        )}
        {form !== "accountScoreAbove" && (
          <NumberField
            title="Events, at least"
            value={draft.count}
            min={1}
            max={1_000}
            onChange={(count) => change({ count })}
          />
        )}
        {form === "kinds" && (
          <>
            <NumberField
              title="Within minutes"
              value={draft.windowMinutes}
              min={0.1}
              max={1_440}
              onChange={(windowMinutes) => change({ windowMinutes })}
            />
            <label>
              Counted by
              <select value={draft.per} onChange={({ target }) => change({ per: target.value })}>
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
  value,
  min,
  max,
  onChange,
}: {
  readonly title: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly onChange: (value: number) => void;
}): ReactNode {
  return (
    <label>
      {title}
      <input
        type="number"
        required
        step="any"
        min={min}
        max={max}
        value={Number.isNaN(value) ? "" : value}
        onChange={({ target }) => onChange(target.valueAsNumber)}
      />
    </label>
  );
}
