import { randomUUID } from "node:crypto";
import { type SecretValue, sign } from "@riskgate/core";
import type { Lines, Probe } from "../conformance/probe.js";
import { createPayloads, type Payloads } from "../delivery/payloads.js";

/** A body: an array is serialised as JSON, text and bytes are sent unchanged. */
export type Body = readonly unknown[] | string | Uint8Array;

const JSON_TYPE = ["Content-Type", "application/json"] as const;
const HEADER = "X-Service-Integrity";

/** Material for the probes of one run. */
export interface DeliveryKit {
  /** Payload builders for one check. */
  readonly make: Payloads;
  /** The signature that a body should have. */
  readonly sign: (body: Body) => string;
  /** A delivery as the service makes it. */
  readonly signed: (sent: string, body: Body, more?: Partial<Probe>) => Probe;
  /** Makes a delivery with other header lines instead of the signature, or another value of it. */
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

/** The bytes of a body. */
export function bytesOf(body: Body): Buffer {
  if (body instanceof Uint8Array) return Buffer.from(body);
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

/** Makes 1,000 events, each with so many addresses; 0.7 MB with one address. */
export function eventsFrom(make: Payloads, addresses: number): readonly object[] {
  return Array.from({ length: 1000 }, () => {
    const event = make.securityEvent();
    return { ...event, ips: Array.from({ length: addresses }, () => event.ips?.[0]) };
  });
}
