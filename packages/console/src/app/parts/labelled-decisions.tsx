import type { LabelledDecisions } from "@riskgate/api-types";
import type { ReactNode } from "react";
import { shownCount } from "../shown-value.js";
import { Badge } from "./badge.js";
import { Foreign } from "./foreign.js";
import { type Column, RowList } from "./row-list.js";
import { Section } from "./section.js";
import { SomeRows } from "./some-rows.js";

/** Precision and recall of outcomes and signals, and the thresholds that would have done best. */
export function LabelledSection({ labelled }: { readonly labelled: LabelledDecisions }): ReactNode {
  const { fraud, legitimate, outcomes, signals, best } = labelled;
  return (
    <Section
      title="Labelled decisions"
      about="Precision: share of fraud among the decisions found. Recall: share of all fraud that is found."
    >
      {fraud + legitimate === 0 ? (
        <p className="dim">
          No decision has a label. Label decisions on their pages, with the reporter, or with
          riskgate labels import.
        </p>
      ) : (
        <>
          <p>
            {shownCount(fraud)} fraud, {shownCount(legitimate)} legitimate.
            {best &&
              ` The best thresholds would have been ${best.flagAbove} to flag, ${best.challengeAbove} to challenge and ${best.rejectAbove} to reject.`}
          </p>
          <RowList
            label="Labelled decisions by outcome"
            columns={OUTCOMES}
            rows={outcomes}
            empty=""
          />
          <SomeRows
            label="Labelled decisions by signal"
            columns={SIGNALS}
            rows={signals}
            empty="No signals."
          />
        </>
      )}
    </Section>
  );
}

type Found = LabelledDecisions["outcomes"][number]["rehearsed"];

function found<Row>(of: (row: Row) => Found): readonly Column<Row>[] {
  return [
    { title: "Precision", numeric: true, cell: (row) => shareText(of(row).precision) },
    { title: "Recall", numeric: true, cell: (row) => shareText(of(row).recall) },
    { title: "Fraud", numeric: true, cell: (row) => shownCount(of(row).fraud) },
    { title: "Legitimate", numeric: true, cell: (row) => shownCount(of(row).legitimate) },
  ];
}

const OUTCOMES: readonly Column<LabelledDecisions["outcomes"][number]>[] = [
  { title: "Outcome", cell: ({ outcome }) => <Badge>{outcome}</Badge> },
  ...found<LabelledDecisions["outcomes"][number]>(({ rehearsed }) => rehearsed),
];

const SIGNALS: readonly Column<LabelledDecisions["signals"][number]>[] = [
  { title: "Signal", cell: ({ signal }) => <Foreign>{signal}</Foreign> },
  ...found<LabelledDecisions["signals"][number]>((row) => row),
];

function shareText(share: number | null): string {
  return share === null ? "none" : `${Math.round(100 * share)}%`;
}
