import { type ReactNode, useId } from "react";

/**
 * One part of a page, with its heading. It is a group and not a landmark, because a page has many of
 * them and landmarks with the same name confuse screen readers.
 */
export function Section({
  title,
  about,
  actions,
  children,
}: {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  const id = useId();
  return (
    <div className="section" role="group" aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id}>{title}</h2>
        {actions !== undefined && <div className="actions">{actions}</div>}
        {about !== undefined && <p>{about}</p>}
      </div>
      {children}
    </div>
  );
}
