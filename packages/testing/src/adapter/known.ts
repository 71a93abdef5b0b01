import type { TestPayload } from "@riskgate/core";
import type { WebhookOptions } from "@riskgate/core/adapter";
import type { RawAnswer } from "../http/raw-answer.js";
import { type RawRequest, rawRequest } from "../http/raw-request.js";
import { signDelivery } from "../delivery/sign-delivery.js";

export const CHALLENGE_SECRET = "challenge-secret-of-at-least-32-bytes";

export const SECRETS: readonly string[] = ["hook-secret-1", "hook-secret-2", CHALLENGE_SECRET];

/** The secret of the vectors. */
export const K = "hook-secret-1";

export const HOOK = "/hook";

/** Vector V3 with its digest, computed by another implementation. */
export const V3: { readonly body: string; readonly digest: string } = {
  body: '[{"service_payload_type":"test"}]',
  digest: "b3a2ea2d8b4c0975a27724097d7d8d88cda8257dc945cdb0cb28770a4bb255c1",
};

export type Lines = readonly (readonly [name: string, value: string])[];

export const JSON_TYPE: readonly [string, string] = ["Content-Type", "application/json"];

export function signedBy(digest: string): readonly [string, string] {
  return ["X-Service-Integrity", digest];
}

export const V3_LINES: Lines = [JSON_TYPE, signedBy(V3.digest)];

export function deliveryRequest(
  payloads: Parameters<typeof signDelivery>[0],
  path: string = HOOK,
): RawRequest & { readonly headers: Lines; readonly body: Buffer } {
  const { body, signature } = signDelivery(payloads, K);
  return { path, headers: [JSON_TYPE, signedBy(signature)], body };
}

export function deliver(
  port: number,
  payloads: Parameters<typeof signDelivery>[0],
  path: string = HOOK,
): Promise<RawAnswer> {
  return rawRequest(port, deliveryRequest(payloads, path));
}

/** Webhook options whose handler collects test payloads. */
export function collecting(
  seen: TestPayload[],
  more: Partial<WebhookOptions> = {},
): WebhookOptions {
  return { secrets: K, on: { test: (payload) => void seen.push(payload) }, ...more };
}

export function problemBody(status: number, code: string, title: string): string {
  return `{"type":"about:blank","title":"${title}","status":${status},"code":"${code}"}`;
}

const DECISION_ID = /,"decisionId":"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/;

/** Id of the decision in a refusal; undefined if it contains none. */
export function decisionIdIn({ body }: RawAnswer): string | undefined {
  return DECISION_ID.exec(body)?.[1];
}

/** Body without the decision's id, which differs between the refusals of equal requests. */
export function fixedBody({ body }: RawAnswer): string {
  return body.replace(DECISION_ID, "");
}

/** Code of a refusal; undefined if the response is not our refusal. */
export function codeOf({ body }: RawAnswer): unknown {
  try {
    return (JSON.parse(body) as { code?: unknown }).code;
  } catch {
    return undefined;
  }
}
