import { type ReactNode, useId } from "react";

export interface FieldControl {
  readonly required: true;
  readonly "aria-invalid"?: true;
  readonly "aria-describedby"?: string;
}

/** A required control with its label and the message about an invalid value. */
export function Field({
  title,
  fault,
  children,
}: {
  readonly title: string;
  readonly fault?: string | undefined;
  readonly children: (control: FieldControl) => ReactNode;
}): ReactNode {
  const id = useId();
  return (
    <div className="field">
      <label>
        <span>
          {title} <span className="dim">(required)</span>
        </span>
        {children({ required: true, ...faultyControl(id, fault) })}
      </label>
      <Fault id={id}>{fault}</Fault>
    </div>
  );
}

/** Attributes that connect a control with its message. */
export function faultyControl(
  id: string,
  fault: string | undefined,
): Omit<FieldControl, "required"> {
  return fault === undefined ? {} : { "aria-invalid": true, "aria-describedby": id };
}

export function Fault({
  id,
  children,
}: {
  readonly id: string;
  readonly children: string | undefined;
}): ReactNode {
  if (children === undefined) return null;
  return (
    <span id={id} className="bad fault">
      {children}
    </span>
  );
}

export function focusFirstFault(within: Element | null): void {
  within?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
}
