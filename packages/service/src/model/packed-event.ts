import { type EventIp, formatTimestamp } from "@riskgate/core/payloads";
import type { IntakeEvent } from "./event.js";
import type { JsonObject } from "./json-object.js";
import type { LogEntry } from "./log-entry.js";

/** Version of the packed form. */
const VERSION = 1;

/** Members of a payload that columns of its entry in the log contain: about a third of the text. */
const IN_COLUMNS = [
  "service_payload_type",
  "application_id",
  "date_occurred",
  "event_category",
  "event_id",
  "event_kind",
] as const;

/** Returns the text of a payload without what its entry in the log also contains. */
export function packEvent({ payload }: Pick<IntakeEvent, "payload">): string {
  // Members that are undefined are not written; copying the others one by one takes twice as long.
  const packed: Record<string, unknown> = { ...payload };
  for (const name of IN_COLUMNS) packed[name] = undefined;
  packed["ips"] = payload.ips?.map((ip) => packAddress(ip, payload.date_occurred));
  packed["v"] = VERSION;
  return JSON.stringify(packed);
}

function packAddress(ip: EventIp, date: string | undefined): JsonObject {
  const packed: Record<string, unknown> = { ...ip };
  if (ip.date_resolved === date) packed["date_resolved"] = undefined;
  if (ip.is_tor === false) packed["is_tor"] = undefined;
  if (Object.keys(ip.geo).length === 0) packed["geo"] = undefined;
  return packed;
}

/** Returns the payload of an event; one that is not packed, such as an erased one, as it is. */
export function unpackEvent(
  stored: JsonObject,
  entry: Pick<LogEntry, "applicationId" | "eventId" | "kind" | "category" | "occurredAt">,
): JsonObject {
  if (stored["v"] !== VERSION) return stored;
  const { v: _version, ips, ...rest } = stored;
  const date = formatTimestamp(entry.occurredAt);
  const addresses = (ips ?? []) as readonly JsonObject[];
  return {
    service_payload_type: "security_event",
    application_id: entry.applicationId,
    date_occurred: date,
    event_category: entry.category,
    event_id: entry.eventId,
    event_kind: entry.kind,
    ...rest,
    ips: addresses.map((ip) => ({ date_resolved: date, geo: {}, is_tor: false, ...ip })),
  };
}
