import type { ReactNode } from "react";
import { type Column, DataTable } from "./data-table.js";
import { Waiting } from "./notice.js";
import { Page } from "./page.js";

export function ListPage<Row extends object>({
  title,
  actions,
  filters,
  query,
  rows,
  columns,
  empty,
  more,
  children,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly filters?: ReactNode;
  readonly query: { readonly isPending: boolean; readonly error: unknown };
  /** Undefined until the service has responded. */
  readonly rows: readonly Row[] | undefined;
  readonly columns: readonly Column<Row>[];
  /** Shown instead of a table without rows. */
  readonly empty: ReactNode;
  readonly more?: ReactNode;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <Page title={title} actions={actions}>
      {filters !== undefined && <div className="row">{filters}</div>}
      <div className="panel">
        <Waiting query={query} />
        {rows && <DataTable label={title} columns={columns} rows={rows} empty={empty} />}
        {more !== undefined && <div className="row">{more}</div>}
      </div>
      {children}
    </Page>
  );
}
