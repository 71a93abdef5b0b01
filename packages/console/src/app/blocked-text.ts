import type { IncidentHistory } from "@riskgate/api-types";
import { shownCount } from "./shown-value.js";

/**
 * Describes how much of an incident the application has blocked. Its payload only reports whether
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
  if (incident.payload["blocked"] === true && blocked === known.length) return "all of it";
  if (known.length === 0) return "not known";
  const isComplete = !isPartial && known.length === events.length;
  if (isComplete && blocked === 0) return "nothing";
  const total = `${shownCount(known.length)} ${known.length === 1 ? "event" : "events"}`;
  if (isPartial) return `${shownCount(blocked)} of the newest ${total}`;
  return `${shownCount(blocked)} of ${total}${isComplete ? "" : " on record"}`;
}
