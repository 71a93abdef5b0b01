import { createColumnHelper, tableFeatures, useTable } from "@tanstack/react-table";
import { type ReactNode, useMemo } from "react";

/** One column; keep the list of them outside of components, where it stays the same. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
}

const features = tableFeatures({});

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
  /** What is said where there are no rows. */
  readonly empty: ReactNode;
}): ReactNode {
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>();
    return helper.columns(
      columns.map(({ title, cell }) =>
        helper.display({ id: title, header: title, cell: ({ row }) => cell(row.original) }),
      ),
    );
  }, [columns]);
  const data = useMemo(() => [...rows], [rows]);
  const table = useTable({ features, columns: definitions, data });
  if (rows.length === 0) return <p className="dim">{empty}</p>;
  return (
    // Roles are said, since a table that is shown as blocks loses its own.
    <table className="cards-when-narrow" role="table" aria-label={label}>
      <thead role="rowgroup">
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id} role="row">
            {group.headers.map((header) => (
              <th key={header.id} role="columnheader" scope="col">
                <table.FlexRender header={header} />
              </th>
            ))}
          </tr>
        ))}
      </thead>
      <tbody role="rowgroup">
        {table.getRowModel().rows.map((row) => (
          <tr key={row.id} role="row">
            {row.getAllCells().map((cell) => (
              <td key={cell.id} role="cell" data-label={cell.column.id}>
                <span>
                  <table.FlexRender cell={cell} />
                </span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
