import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Application } from "../administration.js";
import { call } from "../call.js";
import { shortId } from "../shown-value.js";
import { Field, type FieldControl } from "./field.js";
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

interface SelectProps {
  readonly value: string;
  readonly onChange: (id: string) => void;
  /** What stands for no application. */
  readonly none: string;
}

/** A choice of one application, or of none. */
export function ApplicationSelect(props: SelectProps): ReactNode {
  return (
    <label>
      Application
      <Select {...props} />
    </label>
  );
}

/** A choice of one application that must be made. */
export function RequiredApplication({
  fault,
  ...props
}: SelectProps & { readonly fault: string | undefined }): ReactNode {
  const isWithout = useApplications().data?.length === 0;
  return (
    <>
      <Field title="Application" fault={fault}>
        {(control) => <Select {...props} control={control} />}
      </Field>
      {isWithout && (
        <p>
          There is no application yet. <Link href="/applications">Create one</Link> first.
        </p>
      )}
    </>
  );
}

function Select({
  value,
  onChange,
  none,
  control,
}: SelectProps & { readonly control?: FieldControl }): ReactNode {
  const applications = useApplications().data ?? [];
  return (
    <select {...control} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">{none}</option>
      {applications.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
