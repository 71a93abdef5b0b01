import type { ReactNode } from "react";
import { Link } from "wouter";
import type { RulesDryRun } from "@riskgate/api-types";
import { shownCount } from "../shown-value.js";
import { subjectPath } from "../subject-link.js";
import { type Column, RowList } from "./row-list.js";
import { Foreign, ForeignLink } from "./foreign.js";
import { Time } from "./time.js";

export function RulesDryRunResult({ result }: { readonly result: RulesDryRun }): ReactNode {
  const { since, events, isPartial, addresses, emails, changed, rules, examples } = result;
  return (
    <>
      <p role="status">
        {shownCount(changed)} {changed === 1 ? "score" : "scores"} would change, of{" "}
        {shownCount(addresses)} addresses and {shownCount(emails)} emails in{" "}
        {isPartial && "the newest "}
        {shownCount(events)} events since <Time at={since} />. Nothing was changed.
      </p>
      <RowList label="Rules that hold" columns={RULES} rows={rules} empty="No rules." />
      <RowList
        label="Scores that change"
        columns={CHANGES}
        rows={examples}
        empty="No score changes."
      />
      {examples.length < changed && <p className="dim">The first {examples.length} are shown.</p>}
    </>
  );
}

const RULES: readonly Column<RulesDryRun["rules"][number]>[] = [
  { title: "Rule", cell: ({ name }) => <Foreign>{name}</Foreign> },
  { title: "Holds for", cell: ({ holds }) => shownCount(holds) },
];

const CHANGES: readonly Column<RulesDryRun["examples"][number]>[] = [
  {
    title: "About",
    cell: ({ identifier }) => (
      <ForeignLink href={subjectPath(identifier)}>{identifier}</ForeignLink>
    ),
  },
  { title: "Score now", cell: ({ from }) => from },
  { title: "By rule", cell: ({ fromRule }) => <Foreign>{fromRule ?? "none"}</Foreign> },
  { title: "Score then", cell: ({ to }) => to },
  { title: "By new rule", cell: ({ toRule }) => <Foreign>{toRule ?? "none"}</Foreign> },
  {
    title: "Causes",
    cell: ({ type, identifier }) => (
      <Link href={`/events?${type === "ip" ? "ip" : "account"}=${encodeURIComponent(identifier)}`}>
        Show events
      </Link>
    ),
  },
];
