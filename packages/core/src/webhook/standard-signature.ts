import { type Data, hmac, hmacKey, nativeHmac, utf8 } from "../base/platform.js";
import { after, allOf, type Awaitable } from "../model/awaitable.js";
import type { RawBody } from "./raw-body.js";
import {
  idOfMatch,
  keysInForce,
  readSecrets,
  requireRaw,
  requireSecret,
  type Secrets,
  type SecretValue,
} from "./signature.js";

/** Header values of a delivery that is signed by Standard Webhooks, as received. */
export interface StandardHeaders {
  /** `webhook-id` */
  readonly id: unknown;
  /** `webhook-timestamp`: whole seconds since 1970, as text. */
  readonly timestamp: unknown;
  /** `webhook-signature`: one or several signatures, separated by spaces. */
  readonly signature: unknown;
}

/** Headers of a delivery that is signed by Standard Webhooks, in lower case. */
export interface SignedStandardHeaders {
  readonly "webhook-id": string;
  readonly "webhook-timestamp": string;
  readonly "webhook-signature": string;
}

/** A base64 digest of 32 bytes, behind the version of the scheme with a shared secret. */
const SIGNATURE = /^v1,([A-Za-z0-9+/]{43})=$/;
/** A secret in base64, as the specification writes it; some senders show a version before it. */
const ENCODED_SECRET = /^(?:v1,)?whsec_([A-Za-z0-9+/]+={0,2})$/;
const SECONDS = /^\d{1,11}$/;

/** A rotation needs two; this bounds the comparisons that one header can cause. */
const MAX_SIGNATURES = 8;
const MAX_ID_LENGTH = 256;

/**
 * Signs a delivery by the Standard Webhooks specification.
 *
 * @param id Same for every attempt to deliver these bytes.
 * @param seconds Time of the attempt, in whole seconds since 1970.
 * @param secrets All secrets in force; the header has a signature by each.
 * @throws {RiskGateError} CONFIG_INVALID for an unusable secret or a body that is not raw.
 */
export function signStandard(
  { id, seconds, body }: { readonly id: string; readonly seconds: number; readonly body: RawBody },
  secrets: readonly SecretValue[],
): SignedStandardHeaders {
  requireRaw(body);
  const timestamp = String(seconds);
  const content = contentOf(id, timestamp, body);
  const signatures = secrets.map((secret) => {
    requireSecret(secret, "secret");
    const digest = hmac(standardKey(secret), content, "base64url");
    return `v1,${digest.replaceAll("-", "+").replaceAll("_", "/")}=`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

export interface StandardVerifier {
  /** Id of the secret that made one of the signatures, or undefined when none did. */
  match(body: RawBody, headers: StandardHeaders): Awaitable<string | undefined>;
}

/**
 * Makes a verifier for signatures by Standard Webhooks. It does not check the time.
 *
 * @throws {RiskGateError} CONFIG_INVALID, as `createVerifier` does.
 */
export function createStandardVerifier(
  secrets: Secrets,
  now: () => number = Date.now,
): StandardVerifier {
  const keys = readSecrets(secrets).map(({ id, key, endMs }) => ({
    id,
    key: hmacKey(standardKey(key)),
    endMs,
  }));
  return {
    match(body, { id, timestamp, signature }) {
      requireRaw(body);
      const given = digestsOf(signature);
      if (given.length === 0 || !isMessageId(id) || secondsOf(timestamp) === undefined) {
        return undefined;
      }
      const usable = keysInForce(keys, now);
      const content = contentOf(id, timestamp as string, body);
      const digests = allOf(usable.map(({ key }) => nativeHmac(key, content, "base64url")));
      return after(digests, (all) => idOfMatch(given, usable, all));
    },
  };
}

/** Returns the time in a `webhook-timestamp`; undefined for any other value. */
export function secondsOf(timestamp: unknown): number | undefined {
  return typeof timestamp === "string" && SECONDS.test(timestamp) ? Number(timestamp) : undefined;
}

export function isMessageId(id: unknown): id is string {
  return typeof id === "string" && id.length > 0 && id.length <= MAX_ID_LENGTH;
}

/** Returns the digests in a `webhook-signature` as base64url; unknown versions are skipped. */
export function digestsOf(signature: unknown): readonly string[] {
  if (typeof signature !== "string") return [];
  return signature
    .split(" ", MAX_SIGNATURES)
    .flatMap((one) => SIGNATURE.exec(one)?.[1] ?? [])
    .map((digest) => digest.replaceAll("+", "-").replaceAll("/", "_"));
}

/** Returns the key that a secret means: what its base64 encodes, or the secret itself. */
function standardKey(secret: SecretValue): Data {
  const encoded = typeof secret === "string" ? ENCODED_SECRET.exec(secret)?.[1] : undefined;
  // Its length must be possible, or decoding throws.
  if (encoded === undefined || encoded.replace(/=+$/, "").length % 4 === 1) return secret;
  const key = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  requireSecret(key, "secret");
  return key;
}

function contentOf(id: string, timestamp: string, body: RawBody): Data {
  const head = `${id}.${timestamp}.`;
  if (typeof body === "string") return head + body;
  const prefix = utf8(head);
  const content = new Uint8Array(prefix.length + body.length);
  content.set(prefix);
  content.set(body, prefix.length);
  return content;
}
