import { useSearchParams } from "wouter";

/** List filters, stored in the page's URL, so that they can be linked. */
export function useFilters<Name extends string>(
  names: readonly Name[],
): [filters: Readonly<Record<Name, string>>, set: (name: Name, value: string) => void] {
  const [search, setSearch] = useSearchParams();
  const filters = Object.fromEntries(names.map((name) => [name, search.get(name) ?? ""])) as Record<
    Name,
    string
  >;
  return [
    filters,
    (name, value) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          if (value === "") next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace: true },
      ),
  ];
}
