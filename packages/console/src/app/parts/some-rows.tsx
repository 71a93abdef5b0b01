import { type ReactNode, useState } from "react";
import { shownCount } from "../shown-value.js";
import { Button } from "./button.js";
import { type Column, RowList } from "./row-list.js";

const MOST = 8;

/** The first rows of a list, and the others on demand. */
export function SomeRows<Row extends object>({
  rows,
  ...list
}: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly empty: ReactNode;
}): ReactNode {
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && rows.length > MOST;
  return (
    <>
      <RowList {...list} rows={isCut ? rows.slice(0, MOST) : rows} />
      {isCut && (
        <div className="row">
          <Button look="quiet" onClick={() => setWhole(true)}>
            Show all {shownCount(rows.length)}
          </Button>
        </div>
      )}
    </>
  );
}
