import type { ReactNode } from "react";

/** Whether an incident is open, as text: colour is for its severity. */
export function IncidentState({ endedAt }: { readonly endedAt: string | null }): ReactNode {
  const isOpen = endedAt === null;
  return <span className={`state ${isOpen ? "open" : "ended"}`}>{isOpen ? "Open" : "Ended"}</span>;
}
