import type { Overview } from "@riskgate/api-types";
import type { ReactNode } from "react";
import { Foreign, ForeignLink } from "./foreign.js";
import { StatusCard } from "./status-card.js";

/** Pages that help with each problem. */
const PLACES: Readonly<Record<string, string>> = {
  deliveries_dead: "/deliveries?state=dead",
  payloads_waiting: "/deliveries?state=pending",
  feed_old: "/feeds",
  feed_empty: "/feeds",
};

/** Whether the service works, and what needs attention. */
export function ServiceStatus({ attention }: Pick<Overview, "attention">): ReactNode {
  if (attention.length === 0) {
    return (
      <StatusCard tone="good" title="Everything works" isShort>
        <p>Deliveries arrive, feeds are current, and the disk has free space.</p>
      </StatusCard>
    );
  }
  return (
    <StatusCard tone="warn" title="Needs attention">
      <ul className="plain">
        {attention.map(({ what, message, applicationId }) => {
          const place = applicationId ? `/applications/${applicationId}` : PLACES[what];
          return (
            <li key={message}>
              {place === undefined ? (
                <Foreign>{message}</Foreign>
              ) : (
                <ForeignLink href={place}>{message}</ForeignLink>
              )}
            </li>
          );
        })}
      </ul>
    </StatusCard>
  );
}
