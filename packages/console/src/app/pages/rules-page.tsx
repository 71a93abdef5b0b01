import type { AdminAnswer, OperatorRule, OperatorRules } from "@riskgate/api-types";
import { type ReactNode, useRef, useState } from "react";
import { call } from "../call.js";
import { Button } from "../parts/button.js";
import { DaysField, DEFAULT_DAYS } from "../parts/days-field.js";
import { ErrorPanel } from "../parts/error-panel.js";
import { Foreign, Json } from "../parts/foreign.js";
import { Notice } from "../parts/notice.js";
import { Page } from "../parts/page.js";
import { RuleRows } from "../parts/rule-rows.js";
import { RulesDryRunResult } from "../parts/rules-dry-run-result.js";
import { Section } from "../parts/section.js";
import { notify } from "../parts/toasts.js";
import { Tabs } from "../parts/tabs.js";
import { useAction } from "../parts/use-action.js";
import { useAnswer } from "../parts/use-answer.js";
import { Waiting } from "../parts/waiting.js";
import { rulesIn } from "../operator-rule-draft.js";

const NO_RULES =
  "No rules: scores stay as they are. A rule changes a score before a gate decides; a playbook blocks after an attack.";

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
    <Page
      title="Operator rules"
      about="They allow, flag or reject addresses and emails of all applications. The first rule whose conditions match sets the score."
    >
      <Waiting query={query} lines={6} />
      {data && <Editor key={JSON.stringify(data.rules)} saved={data.rules} />}
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

function Editor({ saved }: { readonly saved: readonly OperatorRule[] }): ReactNode {
  const blank = textOf(saved);
  const [text, setText] = useState(blank);
  const [days, setDays] = useState(DEFAULT_DAYS);
  const { check, save, dryRun, actions, reset, checked } = useRuleActions(text, days);
  const isBusy = actions.some(({ isPending }) => isPending);
  const isChanged = text !== blank;
  const hasActions = isChanged || saved.length > 0;
  const change = (to: string): void => {
    setText(to);
    reset();
  };
  const saveIt = (body: OperatorRules): void =>
    save.mutate(body, {
      onSuccess: ({ count }) => notify(`Saved: ${count} in use.`),
    });
  return (
    <>
      <Tabs
        label="Ways to edit"
        tabs={[
          {
            name: "rows",
            title: "Rules",
            content: <RowsTab text={text} onChange={(rules) => change(textOf(rules))} />,
          },
          { name: "json", title: "JSON", content: <JsonTab text={text} onChange={change} /> },
        ]}
      />
      {hasActions && (
        <div className="section save-bar">
          <div className="row">
            <Button disabled={isBusy} onClick={() => checked()}>
              Check
            </Button>
            <DaysField days={days} onChange={setDays} />
            <Button disabled={isBusy} onClick={() => checked((body) => dryRun.mutate(body))}>
              Dry run
            </Button>
            <Button look="main" disabled={isBusy || !isChanged} onClick={() => checked(saveIt)}>
              Save
            </Button>
            {isChanged && <span className="dim">Not saved yet.</span>}
          </div>
        </div>
      )}
      <div className="stack">
        {check.data && <Problems {...check.data} />}
        {actions.map(({ error }) => error && <ErrorPanel key={error.message} error={error} />)}
        {dryRun.data && (
          <Section title="Dry run">
            <RulesDryRunResult result={dryRun.data} />
          </Section>
        )}
      </div>
    </>
  );
}

function RowsTab({
  text,
  onChange,
}: {
  readonly text: string;
  readonly onChange: (rules: readonly OperatorRule[]) => void;
}): ReactNode {
  const rules = rulesIn(text);
  if (!rules) return <Notice tone="warn">Correct the JSON first: it cannot be read.</Notice>;
  return (
    <Section title="In this order">
      {rules.length === 0 && <p>{NO_RULES}</p>}
      <RuleRows rules={rules} onChange={onChange} />
    </Section>
  );
}

function JsonTab({
  text,
  onChange,
}: {
  readonly text: string;
  readonly onChange: (text: string) => void;
}): ReactNode {
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <div className="section">
      {rulesIn(text)?.length === 0 && (
        <>
          <p>For example, a rule that lets through all emails of a domain:</p>
          <Json value={textOf(EXAMPLE)} label="Example of a rule" />
          <div className="row">
            <Button
              onClick={() => {
                onChange(textOf(EXAMPLE));
                field.current?.focus();
              }}
            >
              Use this example
            </Button>
          </div>
        </>
      )}
      <label>
        Rules as JSON
        <textarea
          ref={field}
          className="tall"
          required
          spellCheck={false}
          value={text}
          onChange={({ target }) => onChange(target.value)}
        />
      </label>
    </div>
  );
}

function textOf(rules: readonly OperatorRule[]): string {
  return JSON.stringify({ rules }, null, 2);
}

function Problems({ count, problems }: AdminAnswer<"POST /rules/check">): ReactNode {
  if (problems.length === 0) {
    return <Notice tone="good">{count === 1 ? "1 rule" : `${count} rules`}, no problems.</Notice>;
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
