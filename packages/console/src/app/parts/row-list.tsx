import { ChevronRight } from "lucide-react";
import {
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from "react";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Takes the remaining width, and cuts its text off at the end. */
  readonly grow?: boolean;
  readonly numeric?: boolean;
  /** The name of an address or an account, which is cut off late. */
  readonly name?: boolean;
  /** May take several lines. */
  readonly wrap?: boolean;
  /** Needs no title beside it in a narrow place, because its value explains itself. */
  readonly bare?: boolean;
}

export interface RowGroup<Row> {
  /** Absent for rows that are always shown. */
  readonly title?: ReactNode;
  readonly key: string;
  readonly isClosed?: boolean;
  readonly rows: readonly Row[];
}

interface RowListProps<Row extends object> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Shown instead of a table without rows. */
  readonly empty: ReactNode;
  /** The same rows in groups, which can be closed. */
  readonly groups?: readonly RowGroup<Row>[] | undefined;
}

/** Rows of one line each; in a narrow place the first cell is above the others. */
export function RowList<Row extends object>(props: RowListProps<Row>): ReactNode {
  const { label, columns, rows, empty, groups } = props;
  const place = useStacking(rows);
  if (rows.length === 0) return typeof empty === "string" ? <p className="dim">{empty}</p> : empty;
  return (
    <div ref={place} className="rows">
      {/* The roles are explicit, because a table that is displayed as blocks loses its own. */}
      <table role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.title} role="columnheader" scope="col" className={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        {groups ? (
          groups.map((group) => <Group key={group.key} group={group} columns={columns} />)
        ) : (
          <tbody role="rowgroup">
            <Rows columns={columns} rows={rows} />
          </tbody>
        )}
      </table>
    </div>
  );
}

function Group<Row extends object>({
  group: { title, rows, isClosed = false },
  columns,
}: {
  readonly group: RowGroup<Row>;
  readonly columns: readonly Column<Row>[];
}): ReactNode {
  const [isOpen, setOpen] = useState(!isClosed);
  if (title === undefined) {
    return (
      <tbody role="rowgroup">
        <Rows columns={columns} rows={rows} />
      </tbody>
    );
  }
  return (
    <tbody role="rowgroup">
      <tr role="row" className="group-head">
        <th role="rowheader" scope="rowgroup" colSpan={columns.length}>
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <ChevronRight size={14} aria-hidden />
            {title}
          </button>
        </th>
      </tr>
      {isOpen && <Rows columns={columns} rows={rows} />}
    </tbody>
  );
}

function Rows<Row extends object>({
  columns,
  rows,
}: Pick<RowListProps<Row>, "columns" | "rows">): ReactNode {
  return rows.map((row, index) => (
    <tr key={index} role="row">
      {columns.map((column) => (
        <td key={column.title} role="cell" data-label={column.title} className={classOf(column)}>
          <span className="cell" onPointerEnter={showWhole}>
            {column.cell(row)}
          </span>
        </td>
      ))}
    </tr>
  ));
}

/** Shows text that is cut off as a tooltip. */
function showWhole({ currentTarget: cell }: PointerEvent<HTMLElement>): void {
  const isCut = cell.scrollWidth > cell.clientWidth;
  cell.title = isCut ? (cell.textContent ?? "") : "";
}

function classOf<Row>({ grow, numeric, name, wrap, bare }: Column<Row>): string {
  const classes = { grow, numeric, name, wrap, bare };
  return Object.entries(classes)
    .filter(([, isSet]) => isSet)
    .map(([name]) => name)
    .join(" ");
}

/** Sets the class of rows whose cells do not fit beside each other; measured before they are painted. */
function useStacking(rows: readonly object[]): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const measure = (): void => {
      element.classList.remove("stacked");
      const isTooWide = element.scrollWidth > element.clientWidth;
      element.classList.toggle("stacked", isTooWide);
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => resized.disconnect();
  }, [rows]);
  return place;
}
