import type { ReactNode } from "react";
import type { Feed } from "@riskgate/api-types";
import { shownCount, shownDuration } from "../shown-value.js";
import { type Column, DataTable } from "./data-table.js";
import { FeedAdvice } from "./feed-advice.js";
import { Foreign } from "./foreign.js";

const COLUMNS: readonly Column<Feed>[] = [
  { title: "Name", cell: ({ name }) => <Foreign>{name}</Foreign> },
  { title: "Kind", cell: ({ kind }) => kind },
  { title: "Age", cell: ({ ageMs }) => (ageMs === undefined ? "unknown" : shownDuration(ageMs)) },
  { title: "Entries", cell: ({ size }) => shownCount(size) },
  { title: "Skipped", cell: ({ skipped }) => shownCount(skipped) },
  { title: "Source", cell: ({ source }) => <Foreign>{source ?? ""}</Foreign> },
  { title: "Licence", cell: ({ licence }) => <Foreign>{licence ?? ""}</Foreign> },
];

export function FeedTable({ feeds }: { readonly feeds: readonly Feed[] }): ReactNode {
  return (
    <DataTable
      label="Feeds"
      columns={COLUMNS}
      rows={feeds}
      empty={
        <>
          No feeds: addresses are judged only by what applications report. <FeedAdvice />
        </>
      }
    />
  );
}
