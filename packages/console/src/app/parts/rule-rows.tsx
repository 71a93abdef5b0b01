import type { OperatorRule } from "@riskgate/api-types";
import { ArrowDown, ArrowUp, Pencil, Plus, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import {
  type ConditionRow,
  draftOfRule,
  NEW_RULE,
  ROW_CONDITIONS,
  type RowCondition,
  type RuleDraft,
  ruleOfDraft,
} from "../operator-rule-draft.js";
import { conditionsText } from "../rule-text.js";
import { submitting } from "../submitting.js";
import { Badge } from "./badge.js";
import { Button } from "./button.js";
import { Foreign } from "./foreign.js";
import { Select } from "./select.js";

interface RowsProps {
  readonly rules: readonly OperatorRule[];
  readonly onChange: (rules: readonly OperatorRule[]) => void;
}

/** Operator rules in words, in their order; one at a time is edited as rows. */
export function RuleRows({ rules, onChange }: RowsProps): ReactNode {
  const [edited, setEdited] = useState<number>();
  const replace = (index: number, ...by: readonly OperatorRule[]): void =>
    onChange(rules.toSpliced(index, 1, ...by));
  const move = (from: number, to: number): void => {
    const rule = rules[from]!;
    onChange(rules.toSpliced(from, 1).toSpliced(to, 0, rule));
  };
  const isAdding = edited === rules.length;
  return (
    <div className="stack tight">
      {rules.length > 0 && (
        <ol className="rule-rows">
          {rules.map((rule, index) => (
            <li key={rule.name}>
              {edited === index ? (
                <RuleForm
                  draft={draftOfRule(rule)!}
                  onCancel={() => setEdited(undefined)}
                  onDone={(draft) => {
                    setEdited(undefined);
                    replace(index, ruleOfDraft(draft));
                  }}
                />
              ) : (
                <RuleRow
                  rule={rule}
                  onEdit={draftOfRule(rule) && (() => setEdited(index))}
                  onUp={index > 0 ? () => move(index, index - 1) : undefined}
                  onDown={index < rules.length - 1 ? () => move(index, index + 1) : undefined}
                  onRemove={() => replace(index)}
                />
              )}
            </li>
          ))}
        </ol>
      )}
      {isAdding ? (
        <RuleForm
          draft={NEW_RULE}
          onCancel={() => setEdited(undefined)}
          onDone={(draft) => {
            setEdited(undefined);
            onChange([...rules, ruleOfDraft(draft)]);
          }}
        />
      ) : (
        <div className="row">
          <Button
            icon={Plus}
            look={rules.length === 0 ? "main" : "plain"}
            onClick={() => setEdited(rules.length)}
          >
            Add a rule
          </Button>
        </div>
      )}
    </div>
  );
}

function RuleRow({
  rule: { name, when, outcome, note },
  onEdit,
  onUp,
  onDown,
  onRemove,
}: {
  readonly rule: OperatorRule;
  /** Undefined for a rule that only JSON can show. */
  readonly onEdit: (() => void) | undefined;
  readonly onUp: (() => void) | undefined;
  readonly onDown: (() => void) | undefined;
  readonly onRemove: () => void;
}): ReactNode {
  return (
    <div className="rule-row">
      <div>
        <b>
          <Foreign>{name}</Foreign>
        </b>
        <span>
          <Foreign>{conditionsText(when)}</Foreign> {"\u2192"} <Badge>{outcome}</Badge>
        </span>
        {note !== undefined && (
          <span className="dim">
            <Foreign>{note}</Foreign>
          </span>
        )}
      </div>
      <div className="actions">
        <Button
          look="quiet"
          icon={Pencil}
          disabled={!onEdit}
          onClick={onEdit}
          aria-label={`Edit ${name}`}
          title={onEdit ? "Edit" : "Edit it as JSON: it has conditions in several levels"}
        />
        <Button
          look="quiet"
          icon={ArrowUp}
          disabled={!onUp}
          onClick={onUp}
          aria-label={`Move ${name} up`}
          title="Move up"
        />
        <Button
          look="quiet"
          icon={ArrowDown}
          disabled={!onDown}
          onClick={onDown}
          aria-label={`Move ${name} down`}
          title="Move down"
        />
        <Button
          look="quiet"
          icon={Trash2}
          onClick={onRemove}
          aria-label={`Remove ${name}`}
          title="Remove"
        />
      </div>
    </div>
  );
}

const OUTCOMES = ["allow", "flag", "reject"] as const;

const CONDITIONS = Object.entries(ROW_CONDITIONS).map(
  ([name, { title }]): [RowCondition, string] => [name as RowCondition, title],
);

const TRUTHS = [
  ["true", "yes"],
  ["false", "no"],
] as const;

function RuleForm({
  draft: first,
  onCancel,
  onDone,
}: {
  readonly draft: RuleDraft;
  readonly onCancel: () => void;
  readonly onDone: (draft: RuleDraft) => void;
}): ReactNode {
  const [draft, setDraft] = useState(first);
  const { name, outcome, note, rows } = draft;
  const change = (part: Partial<RuleDraft>): void => setDraft({ ...draft, ...part });
  return (
    <form className="rule-form" onSubmit={submitting(() => onDone(draft))}>
      <div className="rule-line">
        <label>
          Name
          <input
            required
            maxLength={100}
            value={name}
            onChange={({ target }) => change({ name: target.value })}
          />
        </label>
        <label>
          Outcome
          <Select choices={OUTCOMES} value={outcome} onChange={(to) => change({ outcome: to })} />
        </label>
      </div>
      {rows.map((row, index) => (
        <ConditionFields
          key={index}
          row={row}
          isFirst={index === 0}
          onChange={(to) => change({ rows: rows.toSpliced(index, 1, to) })}
          onRemove={rows.length > 1 ? () => change({ rows: rows.toSpliced(index, 1) }) : undefined}
        />
      ))}
      <label>
        Note
        <input
          maxLength={1_000}
          placeholder="Why the rule exists"
          value={note}
          onChange={({ target }) => change({ note: target.value })}
        />
      </label>
      <div className="row between">
        <Button icon={Plus} onClick={() => change({ rows: [...rows, ...NEW_RULE.rows] })}>
          Add a condition
        </Button>
        <div className="actions">
          <Button onClick={onCancel}>Cancel</Button>
          <Button type="submit" look="main">
            Done
          </Button>
        </div>
      </div>
    </form>
  );
}

function ConditionFields({
  row,
  isFirst,
  onChange,
  onRemove,
}: {
  readonly row: ConditionRow;
  readonly isFirst: boolean;
  readonly onChange: (row: ConditionRow) => void;
  readonly onRemove: (() => void) | undefined;
}): ReactNode {
  const { form } = ROW_CONDITIONS[row.condition];
  return (
    <div
      className="condition-row"
      role="group"
      aria-label={isFirst ? "Condition" : "Further condition"}
    >
      <label>
        <span className="hidden">If or if not</span>
        <Select
          choices={[
            ["", isFirst ? "If" : "and"],
            ["not", isFirst ? "If not" : "and not"],
          ]}

          value={row.isNot ? "not" : ""}
          onChange={(to) => onChange({ ...row, isNot: to === "not" })}
        />
      </label>
      <label>
        <span className="hidden">What is compared</span>
        <Select
          choices={CONDITIONS}

          value={row.condition}
          onChange={(condition) =>
            onChange({
              ...row,
              condition,
              value: ROW_CONDITIONS[condition].form === "truth" ? "true" : "",
            })
          }
        />
      </label>
      {form === "truth" ? (
        <label>
          <span className="hidden">Value</span>
          <Select
            choices={TRUTHS}

            value={row.value === "false" ? "false" : "true"}
            onChange={(value) => onChange({ ...row, value })}
          />
        </label>
      ) : (
        <input
          aria-label="Value"
          required
          inputMode={form === "number" ? "decimal" : "text"}
          placeholder={form === "number" ? "0 to 100" : "Separate several with commas"}
          value={row.value}
          onChange={({ target }) => onChange({ ...row, value: target.value })}
        />
      )}
      <Button
        look="quiet"
        icon={Trash2}
        aria-label="Remove the condition"
        title="Remove"
        disabled={!onRemove}
        onClick={onRemove}
      />
    </div>
  );
}
