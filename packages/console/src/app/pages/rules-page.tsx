import type { AdminAnswer, OperatorRule, OperatorRules } from "@riskgate/api-types";
import { type ReactNode, useRef, useState } from "react";
import { call } from "../call.js";
import { type Column, DataTable } from "../parts/data-table.js";
import { DaysField, DEFAULT_DAYS } from "../parts/days-field.js";
import { Code, Foreign, Json } from "../parts/foreign.js";
import { Done, Trouble, Waiting } from "../parts/notice.js";
import { Page, Panel } from "../parts/page.js";
import { RulesDryRunResult } from "../parts/rules-dry-run-result.js";
import { Tag } from "../parts/tag.js";
import { useAction } from "../parts/use-action.js";
import { useAnswer } from "../parts/use-answer.js";
import { submitting } from "../submitting.js";

const NO_RULES =
  "No rules: scores stay as they are. Write some below, try them with a dry run, and save them.";

const EXAMPLE: readonly OperatorRule[] = [
  {
    name: "our own mail",
    when: { domain: ["example.com"] },
    outcome: "allow",
    note: "Staff sign up from everywhere",
  },
];

export function RulesPage(): ReactNode {
  const query = useAnswer("GET /rules", {});
  const { data } = query;
  return (
    <Page title="Rules">
      <p>
        Operator rules allow, flag or reject addresses and emails whatever their score is, for all
        applications. The first rule whose conditions hold sets the score of a lookup.
      </p>
      <Waiting query={query} />
      {data && (
        <>
          <Panel title="In use">
            <DataTable label="Rules in use" columns={COLUMNS} rows={data.rules} empty={NO_RULES} />
          </Panel>
          <Editor rules={data.rules} />
        </>
      )}
    </Page>
  );
}

/** Checks the text of rules, and saves or tries them if the check finds no problem. */
function useRuleActions(text: string, days: number) {
  const check = useAction(() => call("POST /rules/check", { body: { text } }));
  const save = useAction((body: OperatorRules) => call("PUT /rules", { body }));
  const dryRun = useAction((body: OperatorRules) =>
    call("POST /rules/dry-run", { body: { ...body, days } }),
  );
  const actions = [check, save, dryRun];
  const reset = (): void => {
    for (const action of actions) action.reset();
  };
  const checked = (act?: (body: OperatorRules) => void): void => {
    reset();
    check.mutate(undefined, {
      onSuccess: ({ problems }) => {
        if (problems.length === 0) act?.(JSON.parse(text) as OperatorRules);
      },
    });
  };
  return { check, save, dryRun, actions, reset, checked };
}

function Editor({ rules }: { readonly rules: readonly OperatorRule[] }): ReactNode {
  const blank = textOf(rules);
  const [text, setText] = useState(blank);
  const [days, setDays] = useState(DEFAULT_DAYS);
  const field = useRef<HTMLTextAreaElement>(null);
  const { check, save, dryRun, actions, reset, checked } = useRuleActions(text, days);
  const isBusy = actions.some(({ isPending }) => isPending);
  const change = (to: string): void => {
    setText(to);
    reset();
  };
  return (
    <form className="panel" onSubmit={submitting(() => checked((body) => save.mutate(body)))}>
      <h2>Edit</h2>
      {rules.length === 0 && text === blank && (
        <RulesExample
          onUse={() => {
            change(textOf(EXAMPLE));
            field.current?.focus();
          }}
        />
      )}
      <label>
        Rules as JSON
        <textarea
          ref={field}
          className="tall"
          required
          spellCheck={false}
          value={text}
          onChange={({ target }) => change(target.value)}
        />
      </label>
      <div className="row">
        <button type="submit" className="main" disabled={isBusy}>
          Save
        </button>
        <button type="button" disabled={isBusy} onClick={() => checked()}>
          Check
        </button>
        <button
          type="button"
          disabled={isBusy}
          onClick={() => checked((body) => dryRun.mutate(body))}
        >
          Dry run
        </button>
        <DaysField days={days} onChange={setDays} />
      </div>
      {check.data && <Problems {...check.data} />}
      {save.data && <Done>Saved: {save.data.count} in use.</Done>}
      {actions.map(({ error }) => error && <Trouble key={error.message} error={error} />)}
      {dryRun.data && <RulesDryRunResult result={dryRun.data} />}
    </form>
  );
}

function textOf(rules: readonly OperatorRule[]): string {
  return JSON.stringify({ rules }, null, 2);
}

function RulesExample({ onUse }: { readonly onUse: () => void }): ReactNode {
  return (
    <>
      <p>For example, a rule that lets through all emails of a domain:</p>
      <Json value={textOf(EXAMPLE)} label="Example of a rule" />
      <div className="row">
        <button type="button" onClick={onUse}>
          Use this example
        </button>
      </div>
    </>
  );
}

function Problems({ count, problems }: AdminAnswer<"POST /rules/check">): ReactNode {
  if (problems.length === 0) {
    return <Done>{count === 1 ? "1 rule" : `${count} rules`}, no problems.</Done>;
  }
  return (
    <div className="notice bad" role="alert">
      <ul className="plain">
        {problems.map(({ pointer, reason, line, column }) => (
          <li key={`${pointer} ${reason}`}>
            {line !== undefined && `Line ${line}, column ${column}: `}
            <code>
              <Foreign>{pointer}</Foreign>
            </code>{" "}
            <Foreign>{reason}</Foreign>
          </li>
        ))}
      </ul>
    </div>
  );
}

const COLUMNS: readonly Column<OperatorRule>[] = [
  { title: "Name", cell: ({ name }) => <Foreign>{name}</Foreign> },
  { title: "Outcome", cell: ({ outcome }) => <Tag>{outcome}</Tag> },
  {
    title: "When",
    cell: ({ when }) => <Code>{JSON.stringify(when)}</Code>,
  },
  { title: "Note", cell: ({ note }) => <Foreign>{note ?? ""}</Foreign> },
];
