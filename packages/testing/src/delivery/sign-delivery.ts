import { RiskGateError, type SecretValue, sign, SIGNATURE_HEADER } from "@riskgate/core";

/** A delivery as the service posts it. */
export interface SignedDelivery {
  readonly body: Buffer;
  /** 64 lowercase hex digits. */
  readonly signature: string;
  readonly headers: { readonly "content-type": string; readonly [SIGNATURE_HEADER]: string };
}

/**
 * Signs a delivery.
 * @param payloads An array is serialized as JSON; text and bytes are used unchanged, even if
 * invalid.
 * @throws {RiskGateError} CONFIG_INVALID if the secret is empty, or if there is nothing to sign.
 */
export function signDelivery(
  payloads: readonly unknown[] | string | Uint8Array,
  secret: SecretValue,
): SignedDelivery {
  const body = bytesOf(payloads);
  const signature = sign(body, secret);
  return {
    body,
    signature,
    headers: { "content-type": "application/json", [SIGNATURE_HEADER]: signature },
  };
}

function bytesOf(payloads: readonly unknown[] | string | Uint8Array): Buffer {
  if (payloads instanceof Uint8Array) return Buffer.from(payloads);
  const text = typeof payloads === "string" ? payloads : JSON.stringify(payloads);
  // JSON cannot express undefined, which a misspelled variable may contain.
  if (typeof text === "string") return Buffer.from(text);
  throw new RiskGateError("CONFIG_INVALID", `expected payloads to sign, given ${typeof payloads}`);
}
