import type { ReactNode } from "react";
import type { Feed } from "@riskgate/api-types";
import { feedKindText } from "../feed-kind-text.js";
import { shownCount, shownDuration } from "../shown-value.js";
import { type Column, RowList } from "./row-list.js";
import { FeedAdvice } from "./feed-advice.js";
import { Badge } from "./badge.js";
import { Foreign } from "./foreign.js";

const COLUMNS: readonly Column<Feed>[] = [
  { title: "Name", cell: ({ name }) => <Foreign>{name}</Foreign> },
  { title: "State", bare: true, cell: (feed) => <FeedState feed={feed} /> },
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

/** From this age on, the service reports a feed as old. */
const OLD_MS = 14 * 86_400_000;

function FeedState({ feed: { size, ageMs } }: { readonly feed: Feed }): ReactNode {
  if (size === 0) return <Badge tone="bad">empty</Badge>;
  if (ageMs === undefined) return <Badge tone="dim">age unknown</Badge>;
  return ageMs >= OLD_MS ? <Badge tone="warn">old</Badge> : <Badge tone="good">current</Badge>;
}

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
