import { RiskGateError, type SecretValue, sign, SIGNATURE_HEADER } from "@riskgate/core";
import { signStandard } from "@riskgate/core/internal";

/** A delivery as the service posts it. */
export interface SignedDelivery {
  readonly body: Buffer;
  /** 64 lowercase hex digits. */
  readonly signature: string;
  /** Also those of Standard Webhooks, if the delivery has an id. */
  readonly headers: {
    readonly "content-type": string;
    readonly [SIGNATURE_HEADER]: string;
    readonly [name: string]: string;
  };
}

export interface SignOptions {
  /** Id for the headers of Standard Webhooks; without it, they are left out. */
  readonly id?: string;
  /** Time of the delivery, for the same headers; default now. */
  readonly date?: Date;
}

/**
 * Signs a delivery.
 * @param payloads An array is serialized as JSON; text and bytes are used unchanged, even if
 * invalid.
 * @param secret Secret that signs, or several: then the first signs the body alone, and all sign the
 * headers of Standard Webhooks.
 * @throws {RiskGateError} CONFIG_INVALID if the secret is empty, or if there is nothing to sign.
 */
export function signDelivery(
  payloads: readonly unknown[] | string | Uint8Array,
  secret: SecretValue | readonly [SecretValue, ...SecretValue[]],
  { id, date = new Date() }: SignOptions = {},
): SignedDelivery {
  const body = bytesOf(payloads);
  const secrets = (Array.isArray(secret) ? secret : [secret]) as [SecretValue, ...SecretValue[]];
  const signature = sign(body, secrets[0]);
  const seconds = Math.floor(date.getTime() / 1000);
  return {
    body,
    signature,
    headers: {
      "content-type": "application/json",
      [SIGNATURE_HEADER]: signature,
      ...(id !== undefined && signStandard({ id, seconds, body }, secrets)),
    },
  };
}

function bytesOf(payloads: readonly unknown[] | string | Uint8Array): Buffer {
  if (payloads instanceof Uint8Array) return Buffer.from(payloads);
  const text = typeof payloads === "string" ? payloads : JSON.stringify(payloads);
  // JSON cannot express undefined, which a misspelled variable may contain.
  if (typeof text === "string") return Buffer.from(text);
  throw new RiskGateError("CONFIG_INVALID", `expected payloads to sign, given ${typeof payloads}`);
}
