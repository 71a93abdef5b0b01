import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Application } from "@riskgate/api-types";
import { shortId } from "../shown-value.js";
import { Field, type FieldControl } from "./field.js";
import { ForeignLink } from "./foreign.js";
import { Select } from "./select.js";
import { useAnswer } from "./use-answer.js";

/** All applications, loaded once for all parts of a page. */
export function useApplications(): readonly Application[] | undefined {
  return useAnswer("GET /applications", {}, { staleTime: 30_000 }).data?.applications;
}

export function ApplicationLink({ id }: { readonly id: string }): ReactNode {
  const name = useApplications()?.find((one) => one.id === id)?.name;
  return <ForeignLink href={`/applications/${id}`}>{name ?? shortId(id)}</ForeignLink>;
}

interface SelectProps {
  readonly value: string;
  readonly onChange: (id: string) => void;
  /** Label of the choice without an application. */
  readonly none: string;
}

export function ApplicationSelect(props: SelectProps): ReactNode {
  return (
    <label>
      Application
      <ApplicationChoices {...props} />
    </label>
  );
}

export function RequiredApplication({
  fault,
  ...props
}: SelectProps & { readonly fault: string | undefined }): ReactNode {
  const isWithout = useApplications()?.length === 0;
  return (
    <>
      <Field title="Application" fault={fault}>
        {(control) => <ApplicationChoices {...props} control={control} />}
      </Field>
      {isWithout && (
        <p>
          You have no application yet. <Link href="/applications">Create one</Link> first.
        </p>
      )}
    </>
  );
}

export function ApplicationChoices({
  none,
  ...props
}: SelectProps & { readonly control?: FieldControl }): ReactNode {
  const applications = useApplications() ?? [];
  const choices = applications.map(({ id, name }): [string, string] => [id, name]);
  return <Select choices={[["", none], ...choices]} {...props} />;
}
