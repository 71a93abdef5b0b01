import { payloadCountText } from "./payload-text.js";
import { textIn } from "./shown-value.js";

/** Describes the payloads of a body: ` of 3 events and 1 incident`; empty if it was erased. */
export function deliveryText(body: string | null | undefined): string {
  if (body === null || body === undefined) return "";
  const counts = new Map<string, number>();
  for (const payload of JSON.parse(body) as readonly Readonly<Record<string, unknown>>[]) {
    const type = textIn(payload, "service_payload_type");
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  const parts = [...counts].map(([type, count]) => payloadCountText(count, type));
  return ` of ${parts.join(parts.length > 2 ? ", " : " and ")}`;
}
