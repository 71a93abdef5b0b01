import { parseDelivery, type Payload } from "@riskgate/core";
import { printable } from "../terminal/printable.js";

/** Describes a payload in one line. Any member may be missing or of another type. */
export function describePayload(raw: Readonly<Record<string, unknown>>): string {
  const [element] = parseDelivery(JSON.stringify([raw])).elements;
  if (element === undefined) return printable(["not known", JSON.stringify(raw)].join("  "));
  return printable([element.type, ...wordsOf(element.payload)].filter(Boolean).join("  "));
}

function wordsOf(payload: Payload): (string | undefined)[] {
  switch (payload.service_payload_type) {
    case "security_event":
      return [payload.event_kind, payload.humanized_description, payload.event_id];
    case "pulse":
      return [
        payload.pulse_genre,
        payload.humanized_title,
        payload.date_ended === undefined ? "ongoing" : undefined,
        payload.id,
      ];
    case "security_response": {
      const { ips, user_identifiers: users } = payload.properties;
      return [
        payload.playbook?.name,
        ips.map(({ ip_cidr }) => ip_cidr).join(" "),
        users.map((user) => (typeof user === "string" ? user : JSON.stringify(user))).join(" "),
        payload.id,
      ];
    }
    case "test":
      break;
  }
  return [payload.application_name, payload.environment, payload.id];
}
