import { shownCount, textIn } from "./shown-value.js";

/** Names of payload types, for one and for several. */
const TYPES: Readonly<Record<string, readonly [one: string, several: string]>> = {
  security_event: ["event", "events"],
  pulse: ["incident", "incidents"],
  security_response: ["security response", "security responses"],
  test: ["test", "tests"],
};

/** Describes the payloads of a body: ` of 3 events and 1 incident`; empty if it was erased. */
export function deliveryText(body: string | null | undefined): string {
  if (body === null || body === undefined) return "";
  const counts = new Map<string, number>();
  for (const payload of JSON.parse(body) as readonly Readonly<Record<string, unknown>>[]) {
    const type = textIn(payload, "service_payload_type");
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  const parts = [...counts].map(([type, count]) => {
    const [one, several] = TYPES[type] ?? ["payload", "payloads"];
    return `${shownCount(count)} ${count === 1 ? one : several}`;
  });
  return ` of ${parts.join(parts.length > 2 ? ", " : " and ")}`;
}
