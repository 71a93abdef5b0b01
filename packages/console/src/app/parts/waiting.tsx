import type { ReactNode } from "react";
import { CallError } from "../call.js";
import { ErrorPanel } from "./error-panel.js";
import { Skeleton } from "./skeleton.js";

const MISSING =
  "This is not here: it was erased, it is older than the service keeps it, or the link is of another service.";

/** State of a request, until the response arrives. */
export function Waiting({
  query: { isPending, error, refetch },
  lines,
}: {
  readonly query: {
    readonly isPending: boolean;
    readonly error: unknown;
    readonly refetch?: () => unknown;
  };
  /** Lines of the skeleton. */
  readonly lines?: number;
}): ReactNode {
  if (error instanceof CallError && error.status === 404) return <ErrorPanel error={MISSING} />;
  if (error !== null) {
    return <ErrorPanel error={error} onRetry={refetch && (() => void refetch())} />;
  }
  return isPending ? <Skeleton {...(lines !== undefined && { lines })} /> : null;
}
