import type { AdminAnswer, AdminQuestion } from "@riskgate/api-types";
import { useInfiniteQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { call } from "../call.js";
import { Button } from "./button.js";
import { ListPage } from "./list-page.js";
import { RangePicker } from "./range-picker.js";
import type { Column, RowGroup } from "./row-list.js";
import { type Choice, Select } from "./select.js";
import { TextFilter } from "./text-filter.js";
import { useFilters } from "./use-filters.js";
import { useRange } from "./use-range.js";

/** Records that the service lists page by page. */
type Records = AdminAnswer<"GET /deliveries"> &
  AdminAnswer<"GET /events"> &
  AdminAnswer<"GET /incidents">;

export interface Filter {
  readonly name: string;
  readonly title: string;
  readonly choices?: readonly Choice<string>[];
  /** Choice of an absent filter; default `All`. */
  readonly none?: string;
  /** The page applies it itself, and the service does not know it. */
  readonly isLocal?: boolean;
}

type Filters = Readonly<Record<string, string>>;

interface RecordsPageProps<Name extends keyof Records> {
  readonly title: string;
  readonly member: Name;
  readonly filters: readonly Filter[];
  readonly columns: readonly Column<Records[Name][number]>[];
  /** Shown for an empty list without filters. */
  readonly empty: ReactNode;
  /** Shown beside the filters, which it receives. */
  readonly actions?: (filters: Filters) => ReactNode;
  readonly pageSize?: number;
  /** Sorts or groups the loaded records. */
  readonly arrange?: (
    rows: readonly Records[Name][number][],
    filters: Filters,
  ) => {
    readonly rows: readonly Records[Name][number][];
    readonly groups?: readonly RowGroup<Records[Name][number]>[];
  };
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
  pageSize = 50,
  arrange,
}: RecordsPageProps<Name>): ReactNode {
  const [filters, setFilter] = useFilters(["applicationId", ...offered.map(({ name }) => name)]);
  const range = useRange();
  const local = offered.filter(({ isLocal }) => isLocal).map(({ name }) => name);
  const asked = Object.fromEntries(
    Object.entries(filters).filter(([name]) => !local.includes(name)),
  );
  const list = useRecords(member, { ...asked, ...range.query }, pageSize);
  const loaded = useMemo(() => list.data?.pages.flat(), [list.data]);
  const arranged = loaded && (arrange?.(loaded, filters) ?? { rows: loaded });
  const isFiltered =
    range.sinceMs !== undefined ||
    range.untilMs !== undefined ||
    Object.values(asked).some((value) => value !== "");
  return (
    <ListPage
      title={title}
      actions={
        <>
          <RangePicker range={range} />
          <Button
            icon={RotateCw}
            aria-label="Refresh"
            title="Refresh"
            disabled={list.isFetching}
            onClick={() => void list.refetch()}
          />
        </>
      }
      filters={
        <>
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
      rows={arranged?.rows}
      groups={arranged?.groups}
      columns={columns}
      empty={isFiltered ? "None match these filters." : empty}
      more={
        list.hasNextPage ? (
          <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Load more
          </Button>
        ) : undefined
      }
    />
  );
}

/** Loads records page by page. */
function useRecords<Name extends keyof Records>(member: Name, asked: object, pageSize: number) {
  return useInfiniteQuery({
    queryKey: [member, asked],
    initialPageParam: undefined as number | undefined,
    async queryFn({ pageParam }) {
      const query: object = { ...asked, limit: pageSize, beforeSeq: pageParam };
      const question = { query } as AdminQuestion<`GET /${Name}`>;
      const answer = await call(`GET /${member}`, question);
      return (answer as Records)[member] as readonly Records[Name][number][];
    },
    getNextPageParam: (page) => (page.length < pageSize ? undefined : page.at(-1)?.seq),
  });
}

function FilterControl({
  filter: { title, choices, none = "All" },
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
      <Select choices={[["", none], ...choices]} value={value} onChange={onChange} />
    </label>
  );
}
