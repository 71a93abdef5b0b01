import type { ReactNode } from "react";
import { CallError } from "../call.js";
import { visible } from "../foreign-text.js";

export function Trouble({ error }: { readonly error: unknown }): ReactNode {
  const message = error instanceof Error ? error.message : "Something went wrong";
  return (
    <p className="notice bad" role="alert">
      {visible(message)}
    </p>
  );
}

function Missing(): ReactNode {
  return (
    <p className="notice bad" role="alert">
      This is not here: it was erased, it is older than the service keeps it, or the link is of
      another service.
    </p>
  );
}

export function Done({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <p className="notice good" role="status">
      {children}
    </p>
  );
}

/** State of a request, until the response arrives. */
export function Waiting({
  query: { isPending, error },
}: {
  readonly query: { readonly isPending: boolean; readonly error: unknown };
}): ReactNode {
  if (error instanceof CallError && error.status === 404) return <Missing />;
  if (error !== null) return <Trouble error={error} />;
  return isPending ? <p className="dim">Loading</p> : null;
}
