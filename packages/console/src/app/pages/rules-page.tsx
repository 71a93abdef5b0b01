import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import type { RuleProblem, RulesDryRun } from "../administration.js";
import { call } from "../call.js";
import { type Column, DataTable } from "../parts/data-table.js";
import { Foreign, Json } from "../parts/foreign.js";
import { Done, Trouble, Waiting } from "../parts/notice.js";
import { Page, Panel } from "../parts/page.js";
import { RulesDryRunResult } from "../parts/rules-dry-run-result.js";
import { Tag } from "../parts/tag.js";
import { useAction } from "../parts/use-action.js";

interface OperatorRule {
  readonly name: string;
  readonly when: object;
  readonly outcome: string;
  readonly note?: string;
}

interface CheckResult {
  readonly count: number;
  readonly problems: readonly RuleProblem[];
}

const NO_RULES =
  "No rules: scores stay as they are. Write some below, try them with a dry run, and save them.";

/** One that the service takes as it is. */
const EXAMPLE: readonly OperatorRule[] = [
  {
    name: "our own mail",
    when: { domain: ["example.com"] },
    outcome: "allow",
    note: "Staff sign up from everywhere",
  },
];

const DEFAULT_DAYS = 7;
const MAX_DAYS = 90;

/** The rules of the operator. */
export function RulesPage(): ReactNode {
  const query = useQuery({
    queryKey: ["/rules"],
    queryFn: async () => (await call<{ rules: readonly OperatorRule[] }>("GET", "/rules")).rules,
  });
  const { data } = query;
  return (
    <Page title="Rules">
      <p>
        Which addresses and emails are let through, flagged or rejected whatever their score is; for
        all applications. The first rule that holds sets the score of a lookup.
      </p>
      <Waiting query={query} />
      {data && (
        <>
          <Panel title="In use">
            <DataTable label="Rules in use" columns={COLUMNS} rows={data} empty={NO_RULES} />
          </Panel>
          <Editor rules={data} />
        </>
      )}
    </Page>
  );
}

function Editor({ rules }: { readonly rules: readonly OperatorRule[] }): ReactNode {
  const blank = textOf(rules);
  const [text, setText] = useState(blank);
  const field = useRef<HTMLTextAreaElement>(null);
  const [days, setDays] = useState(DEFAULT_DAYS);
  const check = useAction(() => call<CheckResult>("POST", "/rules/check", { text }));
  const save = useAction((body: object) => call<{ count: number }>("PUT", "/rules", body));
  const dryRun = useAction((body: object) =>
    call<RulesDryRun>("POST", "/rules/dry-run", { ...body, days }),
  );
  const actions = [check, save, dryRun];
  const isBusy = actions.some(({ isPending }) => isPending);
  const forget = (): void => {
    for (const action of actions) action.reset();
  };
  const change = (to: string): void => {
    setText(to);
    forget();
  };
  /** Does something with the rules of the text, if nothing is wrong with it. */
  const checked = (act?: (body: object) => void): void => {
    forget();
    check.mutate(undefined, {
      onSuccess: ({ problems }) => {
        if (problems.length === 0) act?.(JSON.parse(text) as object);
      },
    });
  };
  return (
    <form
      className="panel"
      onSubmit={(event) => {
        event.preventDefault();
        checked((body) => save.mutate(body));
      }}
    >
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
        <label>
          Days back
          <input
            type="number"
            required
            min={1}
            max={MAX_DAYS}
            value={Number.isNaN(days) ? "" : days}
            onChange={({ target }) => setDays(target.valueAsNumber)}
          />
        </label>
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

/** What rules look like, for those who have none yet. */
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

function Problems({ count, problems }: CheckResult): ReactNode {
  if (problems.length === 0) {
    return <Done>{count === 1 ? "1 rule" : `${count} rules`}, nothing wrong.</Done>;
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
    cell: ({ when }) => (
      <span className="mono">
        <Foreign>{JSON.stringify(when)}</Foreign>
      </span>
    ),
  },
  { title: "Note", cell: ({ note }) => <Foreign>{note ?? ""}</Foreign> },
];
