import { capitalized, countText } from "./shown-value.js";

/** Names of payload types, for one and for several. */
const TYPES: Readonly<Record<string, readonly [one: string, several: string]>> = {
  security_event: ["event", "events"],
  pulse: ["incident", "incidents"],
  security_response: ["security response", "security responses"],
  test: ["test", "tests"],
};

/** The name of a payload type, capitalized; one that a later version adds is shown as it is. */
export function payloadText(type: string): string {
  const [one = type] = Object.hasOwn(TYPES, type) ? TYPES[type]! : [];
  return capitalized(one);
}

/** `2 incidents`; payloads of a type that a later version adds are just payloads. */
export function payloadCountText(count: number, type: string): string {
  const [one, several] = Object.hasOwn(TYPES, type) ? TYPES[type]! : ["payload", "payloads"];
  return countText(count, one, several);
}
