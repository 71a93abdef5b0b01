import { randomUUID } from "node:crypto";
import { type SecretValue, sign } from "@riskgate/core";
import { signStandard } from "@riskgate/core/internal";
import type { Lines, Probe } from "../conformance/probe.js";
import { createPayloads, type Payloads } from "../delivery/payloads.js";

/** A body: an array is serialized as JSON, text and bytes are sent unchanged. */
export type Body = readonly unknown[] | string | Uint8Array;

const JSON_TYPE = ["Content-Type", "application/json"] as const;
const HEADER = "X-Service-Integrity";

interface StandardProbe {
  /** Signed time; default now. */
  readonly date?: Date;
  /** Time in the header, if it is not the signed one. */
  readonly dateSent?: Date;
  /** Id in the header, if it is not the signed one. */
  readonly idSent?: string;
  /** Changes the value of the signature header. */
  readonly sign?: (good: string) => string;
}

export interface DeliveryKit {
  /** Payload builders for one check. */
  readonly make: Payloads;
  readonly sign: (body: Body) => string;
  readonly signed: (sent: string, body: Body, more?: Partial<Probe>) => Probe;
  /** Creates a signed delivery that also has the headers of Standard Webhooks. */
  readonly standard: (sent: string, body: Body, how?: StandardProbe) => Probe;
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
    standard(sent, body, { date = new Date(), dateSent = date, idSent, sign = same } = {}) {
      const id = randomUUID();
      const bytes = bytesOf(body);
      const headers = signStandard({ id, seconds: secondsOf(date), body: bytes }, [secret]);
      return probe(sent, body, [
        [HEADER, signOf(body)],
        ["webhook-id", idSent ?? id],
        ["webhook-timestamp", String(secondsOf(dateSent))],
        ["webhook-signature", sign(headers["webhook-signature"])],
      ]);
    },
    forged: (sent, body, signature) =>
      probe(sent, body, typeof signature === "string" ? [[HEADER, signature]] : signature),
  };
}

const same = (value: string): string => value;

function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000);
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
