import type { Application } from "../../model/application.js";
import type { OutgoingPayload } from "../../model/delivery.js";

/**
 * Returns true if an application receives a payload: it has an enabled endpoint, and its settings
 * include the payload type and, for a security event or an incident, the kind or genre.
 *
 * Called when a payload is queued and again when it is added to a delivery, because the settings may
 * change in between.
 */
export function isWanted(
  { webhookUrl, disabledAt, payloadTypes, eventKinds, incidentGenres }: Application,
  { type, kind }: Pick<OutgoingPayload, "type" | "kind">,
): boolean {
  if (webhookUrl === null || disabledAt !== null || !payloadTypes.includes(type)) return false;
  const kinds = { security_event: eventKinds, pulse: incidentGenres }[type as string] ?? null;
  return kinds === null || (kind !== undefined && kinds.includes(kind));
}
