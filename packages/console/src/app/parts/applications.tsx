import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Application } from "../administration.js";
import { call } from "../call.js";
import { shortId } from "../shown-value.js";
import { Foreign } from "./foreign.js";

/** All applications; asked for once for all that need them. */
export function useApplications(): UseQueryResult<readonly Application[]> {
  return useQuery({
    queryKey: ["/applications"],
    queryFn: async () =>
      (await call<{ applications: readonly Application[] }>("GET", "/applications")).applications,
    staleTime: 30_000,
  });
}

/** Name of an application, which leads to its page. */
export function ApplicationLink({ id }: { readonly id: string }): ReactNode {
  const name = useApplications().data?.find((one) => one.id === id)?.name;
  return (
    <Link href={`/applications/${id}`}>
      <Foreign>{name ?? shortId(id)}</Foreign>
    </Link>
  );
}

/** A choice of one application. */
export function ApplicationSelect({
  value,
  onChange,
  none,
}: {
  readonly value: string;
  readonly onChange: (id: string) => void;
  /** What stands for no application. */
  readonly none: string;
}): ReactNode {
  const applications = useApplications().data ?? [];
  return (
    <label>
      Application
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{none}</option>
        {applications.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
