/** Risk of an event reported without one: the lowest value observed in practice. */
const DEFAULT_RISK = 25;

/**
 * Converts a security event to the form that most receivers understand, with both spellings of its id
 * and URL, and with a risk.
 *
 * Source: specification, Security event, which names both spellings; `docs/spec-notes.md`.
 */
export function wireEvent(event: Readonly<Record<string, unknown>>): object {
  const id = event["event_id"] ?? event["id"];
  const url = event["event_url"] ?? event["url"];
  return {
    ...event,
    ...(id !== undefined && { event_id: id, id }),
    ...(url !== undefined && { event_url: url, url }),
    risk: event["risk"] ?? DEFAULT_RISK,
  };
}
