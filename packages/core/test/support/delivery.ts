import type { ReceivedDelivery } from "../../src/webhook/receiver.js";
import { sign } from "../../src/webhook/signature.js";
import { SECRET } from "./vectors.js";

/** A signed delivery of this text, or of these payloads as JSON. */
export function signed(
  content: unknown,
  secret: string = SECRET,
): ReceivedDelivery & { body: Buffer } {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  const body = Buffer.from(text);
  return { body, signature: sign(body, secret) };
}

/** So many test payloads, each with an id of its own. */
export function testPayloads(count: number): { service_payload_type: "test"; id: string }[] {
  return Array.from({ length: count }, (_, n) => ({ service_payload_type: "test", id: `id-${n}` }));
}
