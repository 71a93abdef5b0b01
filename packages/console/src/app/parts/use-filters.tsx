import { useSearchParams } from "wouter";

/** Filters of a list, kept in the address of the page, so that they can be linked to. */
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
