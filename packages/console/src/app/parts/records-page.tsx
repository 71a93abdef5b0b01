import type { AdminAnswer, AdminQuestion } from "@riskgate/api-types";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { call } from "../call.js";
import { ApplicationSelect } from "./applications.js";
import type { Column } from "./data-table.js";
import { ListPage } from "./list-page.js";
import { type Choice, Select } from "./select.js";
import { TextFilter } from "./text-filter.js";
import { useFilters } from "./use-filters.js";

const PAGE = 50;

/** Records that the service lists page by page. */
type Records = AdminAnswer<"GET /deliveries"> &
  AdminAnswer<"GET /events"> &
  AdminAnswer<"GET /incidents">;

export interface Filter {
  readonly name: string;
  readonly title: string;
  readonly choices?: readonly Choice<string>[];
}

/**
 * Records of all applications, newest first; each page starts after the last row of the previous
 * one.
 */
export function RecordsPage<Name extends keyof Records>({
  title,
  member,
  filters: offered,
  columns,
  empty,
  actions,
}: {
  readonly title: string;
  readonly member: Name;
  readonly filters: readonly Filter[];
  readonly columns: readonly Column<Records[Name][number]>[];
  /** Shown for an empty list without filters. */
  readonly empty: ReactNode;
  /** Shown beside the filters, which it receives. */
  readonly actions?: (filters: Readonly<Record<string, string>>) => ReactNode;
}): ReactNode {
  const [filters, setFilter] = useFilters(["applicationId", ...offered.map(({ name }) => name)]);
  const list = useInfiniteQuery({
    queryKey: [member, filters],
    initialPageParam: undefined as number | undefined,
    async queryFn({ pageParam }) {
      const query: object = { ...filters, limit: PAGE, beforeSeq: pageParam };
      const question = { query } as AdminQuestion<`GET /${Name}`>;
      const answer = await call(`GET /${member}`, question);
      return (answer as Records)[member] as readonly Records[Name][number][];
    },
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.seq),
  });
  const rows = useMemo(() => list.data?.pages.flat(), [list.data]);
  const isFiltered = Object.values(filters).some((value) => value !== "");
  return (
    <ListPage
      title={title}
      filters={
        <>
          <ApplicationSelect
            value={filters["applicationId"] ?? ""}
            onChange={(id) => setFilter("applicationId", id)}
            none="All"
          />
          {offered.map((filter) => (
            <FilterControl
              key={filter.name}
              filter={filter}
              value={filters[filter.name] ?? ""}
              onChange={(value) => setFilter(filter.name, value)}
            />
          ))}
          {actions?.(filters)}
        </>
      }
      query={list}
      rows={rows}
      columns={columns}
      empty={isFiltered ? "None match these filters." : empty}
      more={
        <>
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
        </>
      }
    />
  );
}

function FilterControl({
  filter: { title, choices },
  value,
  onChange,
}: {
  readonly filter: Filter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  // A different value, such as from a link, replaces the text being typed.
  if (!choices) return <TextFilter key={value} title={title} value={value} onChange={onChange} />;
  return (
    <label>
      {title}
      <Select choices={[["", "All"], ...choices]} value={value} onChange={onChange} />
    </label>
  );
}
