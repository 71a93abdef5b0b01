import { sign, type SecretValue } from "@riskgate/core";
import { signStandard } from "@riskgate/core/internal";

export interface DeliverySignatures {
  /** Digest of the body, by the secret that signs now. */
  readonly integrity: string;
  /** Headers of Standard Webhooks, with a signature by each secret in force. */
  readonly standard: Readonly<Record<string, string>>;
}

/**
 * Signs a delivery in both ways.
 *
 * @param secrets Secrets in force; the first signs the body alone.
 * @param epochMs Time of the attempt.
 * @throws {RiskGateError} CONFIG_INVALID if a secret cannot sign.
 */
export function signDelivery(
  id: string,
  body: Uint8Array,
  secrets: readonly [SecretValue, ...SecretValue[]],
  epochMs: number,
): DeliverySignatures {
  const seconds = Math.floor(epochMs / 1000);
  return {
    integrity: sign(body, secrets[0]),
    standard: { ...signStandard({ id, seconds, body }, secrets) },
  };
}

/** Returns the headers of a delivery in order, as names and values. */
export function requestHeaders(
  host: string,
  body: Uint8Array,
  { integrity, standard }: DeliverySignatures,
): readonly (readonly [name: string, value: string])[] {
  return [
    ["Host", host],
    ["Content-Type", "application/json"],
    ["Content-Length", String(body.byteLength)],
    ["X-Service-Integrity", integrity],
    ...Object.entries(standard),
    ["User-Agent", "riskgate"],
  ];
}
