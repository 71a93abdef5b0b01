import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { call } from "../call.js";
import { type Column, DataTable } from "./data-table.js";
import { Waiting } from "./notice.js";

const PAGE = 50;

/** A list of any length, read page by page: each page begins after the last row of the one before. */
export function PagesOf<Row extends { readonly seq: number }>({
  label,
  path,
  member,
  query,
  columns,
  empty,
}: {
  readonly label: string;
  readonly path: string;
  /** Member of the answer that holds the rows. */
  readonly member: string;
  /** Filters; empty ones are left out. */
  readonly query: Readonly<Record<string, string>>;
  readonly columns: readonly Column<Row>[];
  /** What is said where there are no rows, not even without filters. */
  readonly empty: ReactNode;
}): ReactNode {
  const filters = Object.entries(query).filter(([, value]) => value !== "");
  const list = useInfiniteQuery({
    queryKey: [path, filters],
    initialPageParam: undefined as number | undefined,
    async queryFn({ pageParam }) {
      const search = new URLSearchParams([
        ...filters,
        ["limit", String(PAGE)],
        ...(pageParam === undefined ? [] : [["beforeSeq", String(pageParam)]]),
      ] as string[][]);
      const answer = await call<Record<string, readonly Row[]>>("GET", `${path}?${search}`);
      return answer[member] ?? [];
    },
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.seq),
  });
  const none = filters.length > 0 ? "None match these filters." : empty;
  const rows = useMemo(() => list.data?.pages.flat() ?? [], [list.data]);
  return (
    <>
      <Waiting query={list} />
      {list.data && <DataTable label={label} columns={columns} rows={rows} empty={none} />}
      <div className="row">
        {list.hasNextPage && (
          <button
            type="button"
            disabled={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            Load more
          </button>
        )}
        <button type="button" disabled={list.isFetching} onClick={() => void list.refetch()}>
          Refresh
        </button>
      </div>
    </>
  );
}
