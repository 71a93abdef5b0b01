import { type ReactNode, useEffect, useRef } from "react";
import { Breakable } from "./foreign.js";

/** The frame of a page: its heading gets the focus, so that screen readers announce the page. */
export function Page({
  title,
  about,
  actions,
  children,
}: {
  readonly title: string;
  /** One sentence below the title. */
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} - riskgate`;
  }, [title]);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <>
      <div className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            <Breakable>{title}</Breakable>
          </h1>
          {about !== undefined && <p className="about">{about}</p>}
        </div>
        {actions !== undefined && <div className="actions">{actions}</div>}
      </div>
      {children}
    </>
  );
}
