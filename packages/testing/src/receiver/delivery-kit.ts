import { randomUUID } from "node:crypto";
import { type SecretValue, sign } from "@riskgate/core";
import type { Lines, Probe } from "../conformance/probe.js";
import { createPayloads, type Payloads } from "../delivery/payloads.js";

/** A body: an array is serialized as JSON, text and bytes are sent unchanged. */
export type Body = readonly unknown[] | string | Uint8Array;

const JSON_TYPE = ["Content-Type", "application/json"] as const;
const HEADER = "X-Service-Integrity";

export interface DeliveryKit {
  /** Payload builders for one check. */
  readonly make: Payloads;
  readonly sign: (body: Body) => string;
  readonly signed: (sent: string, body: Body, more?: Partial<Probe>) => Probe;
  /** Creates a delivery with a different signature value, or with other header lines instead. */
  readonly forged: (sent: string, body: Body, signature: string | Lines) => Probe;
}

export function createDeliveryKit(secret: SecretValue): DeliveryKit {
  const probe = (sent: string, body: Body, lines: Lines): Probe => ({
    sent,
    method: "POST",
    headers: [JSON_TYPE, ...lines],
    body: bytesOf(body),
  });
  const signOf = (body: Body): string => sign(bytesOf(body), secret);
  return {
    make: createPayloads(randomUUID()),
    sign: signOf,
    signed: (sent, body, more) => ({ ...probe(sent, body, [[HEADER, signOf(body)]]), ...more }),
    forged: (sent, body, signature) =>
      probe(sent, body, typeof signature === "string" ? [[HEADER, signature]] : signature),
  };
}

export function bytesOf(body: Body): Buffer {
  if (body instanceof Uint8Array) return Buffer.from(body);
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

/** Creates 1,000 events with this many addresses each; 0.7 MB with one address. */
export function eventsFrom(make: Payloads, addresses: number): readonly object[] {
  return Array.from({ length: 1000 }, () => {
    const event = make.securityEvent();
    return { ...event, ips: Array.from({ length: addresses }, () => event.ips?.[0]) };
  });
}
