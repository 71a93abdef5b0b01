import type { IncidentHistory } from "@riskgate/api-types";
import { countText, shownCount } from "./shown-value.js";

/**
 * Describes how many requests of an incident the application has stopped. Its payload only reports whether
 * everything was blocked, as of the last delivery; each event has a separate flag, unless it was
 * erased.
 */
export function blockedText({
  incident,
  events,
  isPartial,
}: Pick<IncidentHistory, "incident" | "events" | "isPartial">): string {
  const known = events.filter(({ payload }) => Object.keys(payload).length > 0);
  const blocked = known.filter(({ payload }) => payload["blocked"] === true).length;
  if (incident.payload["blocked"] === true && blocked === known.length) {
    return blocked === 1 && !isPartial ? "The request was stopped" : "All requests were stopped";
  }
  if (known.length === 0) return "Not known";
  const isComplete = !isPartial && known.length === events.length;
  if (isComplete && blocked === 0) return "No request was stopped";
  const total = countText(known.length, "event");
  if (isPartial) return `Stopped for ${shownCount(blocked)} of the newest ${total}`;
  return `Stopped for ${shownCount(blocked)} of ${total}${isComplete ? "" : " on record"}`;
}
