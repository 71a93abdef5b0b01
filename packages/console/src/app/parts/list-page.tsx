import type { ReactNode } from "react";
import { EmptyState } from "./empty-state.js";
import { Page } from "./page.js";
import { type Column, type RowGroup, RowList } from "./row-list.js";
import { Waiting } from "./waiting.js";

export function ListPage<Row extends object>({
  title,
  about,
  actions,
  filters,
  query,
  rows,
  groups,
  columns,
  empty,
  more,
  children,
}: {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly filters?: ReactNode;
  readonly query: {
    readonly isPending: boolean;
    readonly error: unknown;
    readonly refetch?: () => unknown;
  };
  /** Undefined until the service has responded. */
  readonly rows: readonly Row[] | undefined;
  readonly groups?: readonly RowGroup<Row>[] | undefined;
  readonly columns: readonly Column<Row>[];
  /** Shown instead of a table without rows. */
  readonly empty: ReactNode;
  readonly more?: ReactNode;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <Page title={title} about={about} actions={actions}>
      {filters !== undefined && <div className="filters">{filters}</div>}
      <div className="section">
        <Waiting query={query} lines={8} />
        {rows && (
          <RowList
            label={title}
            columns={columns}
            rows={rows}
            groups={groups}
            empty={<EmptyState>{typeof empty === "string" ? empty : <p>{empty}</p>}</EmptyState>}
          />
        )}
        {more !== undefined && <div className="row">{more}</div>}
      </div>
      {children}
    </Page>
  );
}
