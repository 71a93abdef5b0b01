import type { ReactNode } from "react";
import type { Feed } from "@riskgate/api-types";
import { feedKindText } from "../feed-kind-text.js";
import { shownCount, shownDuration } from "../shown-value.js";
import { type Column, RowList } from "./row-list.js";
import { FeedAdvice } from "./feed-advice.js";
import { Foreign } from "./foreign.js";

const COLUMNS: readonly Column<Feed>[] = [
  { title: "Name", cell: ({ name }) => <Foreign>{name}</Foreign> },
  { title: "Kind", bare: true, cell: ({ kind }) => feedKindText(kind) },
  { title: "Entries", numeric: true, cell: ({ size }) => shownCount(size) },
  {
    title: "Skipped",
    numeric: true,
    cell: ({ skipped }) =>
      skipped > 0 ? <span className="warn">{shownCount(skipped)}</span> : "0",
  },
  { title: "Age", cell: ({ ageMs }) => (ageMs === undefined ? "unknown" : shownDuration(ageMs)) },
  {
    title: "Source",
    grow: true,
    cell: ({ source }) => <Foreign>{source ?? "unknown"}</Foreign>,
  },
  { title: "Licence", cell: ({ licence }) => <Foreign>{licence ?? "unknown"}</Foreign> },
];

export function FeedTable({ feeds }: { readonly feeds: readonly Feed[] }): ReactNode {
  return (
    <RowList
      label="Feeds"
      columns={COLUMNS}
      rows={feeds}
      empty={
        <>
          No feeds: scores come only from what applications report. <FeedAdvice />
        </>
      }
    />
  );
}
