import type { ReactNode } from "react";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
}

/** Rows as a table, and on a narrow screen as cards. */
export function DataTable<Row extends object>({
  label,
  columns,
  rows,
  empty,
}: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Shown instead of a table without rows. */
  readonly empty: ReactNode;
}): ReactNode {
  if (rows.length === 0) return <p className="dim">{empty}</p>;
  return (
    // The roles are explicit, because a table that is displayed as blocks loses its own.
    <table className="cards-when-narrow" role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ title }) => (
            <th key={title} role="columnheader" scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row, index) => (
          <tr key={index} role="row">
            {columns.map(({ title, cell }) => (
              <td key={title} role="cell" data-label={title}>
                <span>{cell(row)}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
