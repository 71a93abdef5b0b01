import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import { typeName } from "./email-address.js";
import { RiskGateError } from "./errors.js";

/**
 * Header that carries the signature, in the lower case of Node's header objects. Source:
 * specification, Endpoints, call to the webhook.
 */
export const SIGNATURE_HEADER = "x-service-integrity";

/** One SHA-256 digest in lowercase hex. Source: specification, Authentication, webhook step 2. */
const DIGEST = /^[0-9a-f]{64}$/;

/** A signing secret: text is used as its UTF-8 bytes, and nothing is trimmed. */
export type SecretValue = string | Uint8Array;

/** A signing secret that can be told apart and retired: what a rotation needs. */
export interface NamedSecret {
  /** Name that the context of a delivery shows; not secret. */
  readonly id: string;
  readonly value: SecretValue;
  /** Last moment at which it counts, as a Date or ISO 8601 text; without it, for ever. */
  readonly notAfter?: Date | string;
}

/** One secret, or several of which any may match. */
export type Secrets = SecretValue | NamedSecret | readonly (SecretValue | NamedSecret)[];

/** Body of a delivery as it was received; text counts as its UTF-8 bytes. */
export type RawBody = string | Uint8Array;

/**
 * Sign a webhook body.
 *
 * @param body The exact bytes sent: an object that was parsed and serialised again is other bytes.
 * @returns 64 lowercase hex characters.
 * @throws {RiskGateError} CONFIG_INVALID when the secret is empty or the body is not raw.
 */
export function sign(body: RawBody, secret: SecretValue): string {
  requireRaw(body);
  return digest(secretKey(secret), body);
}

/**
 * Tell whether `signature` was made from `body` with one of `secrets`.
 *
 * @param signature Value of the signature header as received; anything but 64 lowercase hex
 * characters is simply false, whatever its type.
 * @throws {RiskGateError} CONFIG_INVALID when there is no usable secret or the body is not raw.
 */
export function verify(body: RawBody, signature: unknown, secrets: Secrets): boolean {
  return createVerifier(secrets).match(body, signature) !== undefined;
}

/** Verification with the keys made ready. */
export interface Verifier {
  /** Id of the secret that made the signature, or undefined when none did. */
  match(body: RawBody, signature: unknown): string | undefined;
}

/**
 * Make a verifier for one or several secrets. A secret without an id is called by its position:
 * "0", "1" and so on.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an empty list, an empty or blank secret, equal ids, or
 * a `notAfter` that is no date.
 */
export function createVerifier(secrets: Secrets, now: () => number = Date.now): Verifier {
  const list = (Array.isArray(secrets) ? secrets : [secrets]) as (SecretValue | NamedSecret)[];
  if (list.length === 0) {
    throw new RiskGateError("CONFIG_INVALID", "`secrets` must name at least one secret");
  }
  const keys = list.map((secret, position) =>
    isNamed(secret)
      ? { id: secret.id, key: secretKey(secret.value), notAfterMs: endOf(secret) }
      : { id: String(position), key: secretKey(secret), notAfterMs: Infinity },
  );
  if (new Set(keys.map((key) => key.id)).size < keys.length) {
    throw new RiskGateError("CONFIG_INVALID", "`secrets` must have different ids");
  }

  return {
    match(body, signature) {
      // First, so that a mistake in the application shows even while no good delivery comes in.
      requireRaw(body);
      if (!isSignature(signature)) return undefined;
      const given = Buffer.from(signature, "latin1");
      let matched: string | undefined;
      for (const { id, key, notAfterMs } of keys) {
        if (notAfterMs < now()) continue;
        // No early exit: the time taken does not tell which secret matched.
        const same = timingSafeEqual(given, Buffer.from(digest(key, body), "latin1"));
        if (same) matched ??= id;
      }
      return matched;
    },
  };
}

/**
 * Tell whether a header value has the form of a signature.
 *
 * Checked before any comparison: decoding hex would drop trailing junk, and a comparison in constant
 * time throws on unequal lengths.
 */
export function isSignature(value: unknown): value is string {
  return typeof value === "string" && DIGEST.test(value);
}

function digest(key: KeyObject, body: RawBody): string {
  return createHmac("sha256", key).update(body).digest("hex");
}

function requireRaw(body: unknown): void {
  if (typeof body === "string" || body instanceof Uint8Array) return;
  throw new RiskGateError(
    "CONFIG_INVALID",
    `expected the raw body as bytes or text, given ${typeName(body)}`,
    { hint: "Pass the raw body as received, before anything parses it" },
  );
}

function secretKey(secret: unknown): KeyObject {
  const isText = typeof secret === "string";
  if (!isText && !(secret instanceof Uint8Array)) {
    throw new RiskGateError(
      "CONFIG_INVALID",
      `a signing secret must be a string or bytes, given ${typeName(secret)}`,
    );
  }
  const bytes = isText ? Buffer.from(secret, "utf8") : secret;
  // An empty key still yields a digest that looks valid, and that anyone could forge.
  if (isText ? secret.trim() === "" : bytes.length === 0) {
    throw new RiskGateError("CONFIG_INVALID", "a signing secret must not be empty or blank");
  }
  return createSecretKey(bytes);
}

function isNamed(secret: unknown): secret is NamedSecret {
  return typeof secret === "object" && secret !== null && !(secret instanceof Uint8Array);
}

function endOf({ id, notAfter }: NamedSecret): number {
  if (typeof id !== "string" || id === "") {
    throw new RiskGateError("CONFIG_INVALID", "a named secret must have an `id` that is a string");
  }
  if (notAfter === undefined) return Infinity;
  const end = notAfter instanceof Date ? notAfter.getTime() : Date.parse(notAfter);
  if (Number.isNaN(end)) {
    throw new RiskGateError("CONFIG_INVALID", `\`notAfter\` of secret "${id}" must be a date`);
  }
  return end;
}
