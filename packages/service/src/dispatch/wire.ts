/** A payload before it is sent: any object with its `service_payload_type`. */
export type OutgoingPayload = Readonly<Record<string, unknown>>;

/** Said of an event whose risk nobody stated: the lowest of the numbers seen in the field. */
const DEFAULT_RISK = 25;

/**
 * Turn a payload into the form that most receivers understand: a security event carries both
 * spellings of its id and URL, and a risk. Every other payload is sent as it is.
 *
 * Source: specification, Security event, which names both spellings; `docs/spec-notes.md`.
 */
export function toWire(payload: OutgoingPayload): OutgoingPayload {
  if (payload["service_payload_type"] !== "security_event") return payload;
  const id = payload["event_id"] ?? payload["id"];
  const url = payload["event_url"] ?? payload["url"];
  return {
    ...payload,
    ...(id !== undefined && { event_id: id, id }),
    ...(url !== undefined && { event_url: url, url }),
    risk: payload["risk"] ?? DEFAULT_RISK,
  };
}
