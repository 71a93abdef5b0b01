import { Fragment, type ReactNode } from "react";
import { Link } from "wouter";
import { visible } from "../foreign-text.js";

/** Untrusted text, in its own direction, with invisible characters escaped. */
export function Foreign({ children }: { readonly children: string }): ReactNode {
  return (
    <bdi>
      <Breakable>{visible(children)}</Breakable>
    </bdi>
  );
}

/** Places after which an address or an account may continue on the next line. */
const JOINTS = /(?<=\S[@/])(?=[^\s@/])|(?<=[a-z]\.)(?=[a-z])/i;

/** Text that continues on the next line between its parts, and not within a word. */
export function Breakable({ children }: { readonly children: string }): ReactNode {
  return children.split(JOINTS).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

/** A link with untrusted text. */
export function ForeignLink({
  href,
  children,
}: {
  readonly href: string;
  readonly children: string;
}): ReactNode {
  return (
    <Link href={href}>
      <Foreign>{children}</Foreign>
    </Link>
  );
}

/** Untrusted text in a monospaced font. */
export function Code({ children }: { readonly children: string }): ReactNode {
  return (
    <span className="mono">
      <Foreign>{children}</Foreign>
    </span>
  );
}

/** A value, or text that may be JSON, as formatted JSON. */
export function Json({
  value,
  label,
}: {
  readonly value: unknown;
  readonly label: string;
}): ReactNode {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return (
    // Focusable, so that the keyboard can scroll it.
    <pre tabIndex={0} role="group" aria-label={label}>
      {visible(text)}
    </pre>
  );
}

export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}): ReactNode {
  return (
    <dl>
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt>{name}</dt>
          <dd>{value === "" || value === null ? <span className="dim">none</span> : value}</dd>
        </div>
      ))}
    </dl>
  );
}
