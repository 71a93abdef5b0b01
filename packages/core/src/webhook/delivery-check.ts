import type { OptionReader } from "../base/options.js";
import type { RefusalCode } from "../base/problem.js";
import { after, type Awaitable } from "../model/awaitable.js";
import type { RawBody } from "./raw-body.js";
import { createVerifier, isSignature, type Secrets } from "./signature.js";
import {
  createStandardVerifier,
  digestsOf,
  isMessageId,
  secondsOf,
  type StandardHeaders,
} from "./standard-signature.js";

/** How a sender signs: with a digest of the body, or by Standard Webhooks only. */
export type SignatureScheme = "service" | "standard";

export interface DeliveryCheckOptions {
  /**
   * How the sender signs; default `"service"`, a digest of the body in one header. With
   * `"standard"`, the headers of Standard Webhooks are required instead, also with the prefix
   * `svix-`, and a body may be one object.
   */
  readonly scheme?: SignatureScheme;
  /**
   * How far the time of a delivery may differ from the clock, in milliseconds; default 5 minutes.
   * Checked if the delivery has the headers of Standard Webhooks.
   */
  readonly replayWindowMs?: number;
  /**
   * Refuse deliveries without the headers of Standard Webhooks; default false. Otherwise a replay
   * can leave them out.
   */
  readonly requireTimestamp?: boolean;
}

export interface DeliveryHeaders {
  /** Value of the header with the digest of the body. */
  readonly signature?: unknown;
  /** Undefined if the delivery has no signature by Standard Webhooks. */
  readonly standard?: StandardHeaders | undefined;
}

export interface VerifiedSender {
  readonly secretId: string;
  /** Signed id of the delivery; undefined if the sender sets none. */
  readonly deliveryId: string | undefined;
}

/** Verifies bodies with the secrets of one receiver. */
export type VerifySender = (
  body: RawBody,
  headers: DeliveryHeaders,
) => Awaitable<VerifiedSender | undefined>;

export interface DeliveryCheck {
  readonly scheme: SignatureScheme;
  /** Returns why a delivery is refused by its headers, before its body is read. */
  refusalOf(headers: DeliveryHeaders): RefusalCode | undefined;
  /** @throws {RiskGateError} CONFIG_INVALID for unusable secrets. */
  verifierOf(secrets: Secrets): VerifySender;
}

export function readDeliveryCheck(options: OptionReader): DeliveryCheck {
  const scheme = options.oneOf("scheme", ["service", "standard"], "service");
  const windowMs = options.durationMs("replayWindowMs", 5 * 60_000);
  const needsTime = options.boolean("requireTimestamp", false);

  const refusalByTime = ({
    id,
    timestamp,
    signature,
  }: StandardHeaders): RefusalCode | undefined => {
    const seconds = secondsOf(timestamp);
    if (seconds === undefined || !isMessageId(id) || digestsOf(signature).length === 0) {
      return "SIGNATURE_INVALID";
    }
    // The header has no fraction of a second.
    const age = Math.abs(Math.floor(Date.now() / 1000) - seconds);
    return age * 1000 > windowMs ? "TIMESTAMP_INVALID" : undefined;
  };

  return {
    scheme,
    refusalOf({ signature, standard }) {
      if (scheme === "service" && !isSignature(signature)) return "SIGNATURE_INVALID";
      if (standard) return refusalByTime(standard);
      if (scheme === "standard") return "SIGNATURE_INVALID";
      return needsTime ? "TIMESTAMP_INVALID" : undefined;
    },
    verifierOf: scheme === "service" ? bothVerifier : standardVerifier,
  };
}

/** Requires the digest of the body and, if the delivery has one, the other signature as well. */
function bothVerifier(secrets: Secrets): VerifySender {
  const service = createVerifier(secrets);
  const standard = createStandardVerifier(secrets);
  return (body, headers) =>
    after(service.match(body, headers.signature), (secretId) => {
      if (secretId === undefined) return undefined;
      if (!headers.standard) return { secretId, deliveryId: undefined };
      const deliveryId = headers.standard.id as string;
      return after(standard.match(body, headers.standard), (found) =>
        found === undefined ? undefined : { secretId, deliveryId },
      );
    });
}

function standardVerifier(secrets: Secrets): VerifySender {
  const verifier = createStandardVerifier(secrets);
  return (body, { standard }) =>
    standard &&
    after(verifier.match(body, standard), (secretId) =>
      secretId === undefined ? undefined : { secretId, deliveryId: standard.id as string },
    );
}
