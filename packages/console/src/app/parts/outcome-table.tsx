import type { ReactNode } from "react";
import type { CountsByOutcome, Outcome } from "@riskgate/api-types";
import { OUTCOMES } from "@riskgate/core";
import { shownCount } from "../shown-value.js";
import { type Column, RowList } from "./row-list.js";
import { Badge } from "./badge.js";

interface Row {
  readonly outcome: Outcome;
  readonly before: number;
  readonly after: number;
}

export function OutcomeTable({
  label,
  before,
  after,
}: {
  readonly label: string;
  readonly before: CountsByOutcome;
  readonly after: CountsByOutcome;
}): ReactNode {
  const rows = OUTCOMES.map((outcome) => ({
    outcome,
    before: before[outcome],
    after: after[outcome],
  }));
  return <RowList label={label} columns={COLUMNS} rows={rows} empty="" />;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: "Outcome", cell: ({ outcome }) => <Badge>{outcome}</Badge> },
  { title: "Before", cell: ({ before }) => shownCount(before) },
  { title: "Tried", cell: ({ after }) => shownCount(after) },
  { title: "Change", cell: ({ before, after }) => shownChange(after - before) },
];

function shownChange(change: number): string {
  return change > 0 ? `+${shownCount(change)}` : shownCount(change);
}
