import type { OutgoingPayload } from "./delivery.js";
import type { NewLogEntry } from "./log-entry.js";

/** Returns a payload as an entry of the log from which nothing follows. */
export function derivedEntry({ type, kind = "", payload }: OutgoingPayload): NewLogEntry {
  return {
    type,
    eventId: null,
    kind,
    category: "",
    occurredAt: 0,
    highRisk: false,
    cause: 0,
    payload: JSON.stringify(payload),
  };
}
