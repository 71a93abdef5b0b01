import { timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";
import { typeName } from "../base/type-name.js";
import { RiskGateError } from "../base/errors.js";
import { createHmacSha256, type HmacSha256 } from "./hmac-sha256.js";

/**
 * Header that carries the signature, in the lower case of Node's header objects. Source:
 * specification, Endpoints, call to the webhook.
 */
export const SIGNATURE_HEADER = "x-service-integrity";

/** Characters of a SHA-256 digest in lowercase hex. Source: specification, webhook step 2. */
const DIGEST_LENGTH = 64;
const NOT_IN_DIGEST = /[^0-9a-f]/;

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
  return signer(secret)(bytesOf(body));
}

/**
 * Tell whether `signature` was made from `body` with one of `secrets`.
 *
 * @param signature Value of the signature header as received; anything but 64 lowercase hex
 * characters is simply false, whatever its type.
 * @throws {RiskGateError} CONFIG_INVALID when there is no usable secret or the body is not raw.
 */
export function verify(body: RawBody, signature: unknown, secrets: Secrets): boolean {
  if (typeof secrets !== "string") {
    return createVerifier(secrets).match(body, signature) !== undefined;
  }
  // One text, the usual case, needs no list made for each call.
  const digest = signer(secrets);
  requireRaw(body);
  return isSignature(signature) && isSameDigest(signature, digest(bytesOf(body)));
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
      ? { id: secret.id, digest: signer(secret.value), notAfterMs: endOf(secret) }
      : { id: String(position), digest: signer(secret), notAfterMs: Infinity },
  );
  if (new Set(keys.map((key) => key.id)).size < keys.length) {
    throw new RiskGateError("CONFIG_INVALID", "`secrets` must have different ids");
  }

  return {
    match(body, signature) {
      // First, so that a mistake in the application shows even while no good delivery comes in.
      requireRaw(body);
      if (!isSignature(signature)) return undefined;
      const bytes = bytesOf(body);
      let matched: string | undefined;
      for (const { id, digest, notAfterMs } of keys) {
        if (notAfterMs !== Infinity && notAfterMs < now()) continue;
        // No early exit: the time taken does not tell which secret matched.
        if (isSameDigest(signature, digest(bytes))) matched ??= id;
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
  return typeof value === "string" && value.length === DIGEST_LENGTH && !NOT_IN_DIGEST.test(value);
}

/** Written over by each comparison: two buffers made anew would cost more than comparing them. */
const given = Buffer.alloc(DIGEST_LENGTH);
const made = Buffer.alloc(DIGEST_LENGTH);

/** Compare two texts of 64 ASCII characters in constant time. */
function isSameDigest(one: string, other: string): boolean {
  given.write(one, "latin1");
  made.write(other, "latin1");
  return timingSafeEqual(given, made);
}

function bytesOf(body: RawBody): Uint8Array {
  return typeof body === "string" ? Buffer.from(body) : body;
}

function requireRaw(body: unknown): void {
  if (typeof body === "string" || body instanceof Uint8Array) return;
  throw new RiskGateError(
    "CONFIG_INVALID",
    `expected the raw body as bytes or text, given ${typeName(body)}`,
    { hint: "Pass the raw body as received, before anything parses it" },
  );
}

/** By text: `sign` and `verify` are given the same few secrets again and again. */
const signers = new LRUCache<string, HmacSha256>({ max: 1000 });

function signer(secret: unknown): HmacSha256 {
  if (typeof secret !== "string") return makeSigner(secret);
  const known = signers.get(secret);
  if (known) return known;
  const made = makeSigner(secret);
  signers.set(secret, made);
  return made;
}

function makeSigner(secret: unknown): HmacSha256 {
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
  return createHmacSha256(bytes);
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
