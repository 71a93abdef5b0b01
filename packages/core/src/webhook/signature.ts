import { RiskGateError } from "../base/errors.js";
import { OptionReader } from "../base/options.js";
import { hmac, hmacKey, isSameText, looseTextOf, nativeHmac } from "../base/platform.js";
import { after, allOf, type Awaitable } from "../model/awaitable.js";
import { typeName } from "../base/type-name.js";
import type { RawBody } from "./raw-body.js";

/**
 * Header that carries the signature, in the lower case of Node's header objects. Source:
 * specification, Endpoints, call to the webhook.
 */
export const SIGNATURE_HEADER = "x-service-integrity";

/** One SHA-256 digest in lowercase hex. Source: specification, Authentication, webhook step 2. */
const DIGEST = /^[0-9a-f]{64}$/;
const DIGEST_LENGTH = 64;

const BLANK = /^[\s\0]*$/;
/** The same without the vertical tab, of which a key of RFC 4231 consists. */
const BLANK_BYTES = /^(?:[^\S\v]|\0)*$/;

/** A signing secret: text is used as its UTF-8 bytes, and nothing is trimmed. */
export type SecretValue = string | Uint8Array;

/** A signing secret with a name and an end: what a rotation needs. */
export interface NamedSecret {
  /** Name that the context of a delivery shows. Not secret. */
  readonly id: string;
  readonly value: SecretValue;
  /** Last moment at which the secret is valid, as a Date or ISO 8601 text; without it, always. */
  readonly notAfter?: Date | string;
}

/** One secret, or several of which any may match. */
export type Secrets = SecretValue | NamedSecret | readonly (SecretValue | NamedSecret)[];

/**
 * Signs a webhook body.
 *
 * @param body The exact bytes sent. An object that was parsed and serialized again is other bytes.
 * @returns 64 lowercase hex characters.
 * @throws {RiskGateError} CONFIG_INVALID when the secret is empty or the body is not raw.
 */
export function sign(body: RawBody, secret: SecretValue): string {
  requireRaw(body);
  requireSecret(secret, "secret");
  return hmac(secret, body, "hex");
}

/**
 * Returns true if `signature` was made from `body` with one of `secrets`.
 *
 * @param signature Value of the signature header as received; the result is false for any
 * value except 64 lowercase hex characters.
 * @throws {RiskGateError} CONFIG_INVALID for an unusable secret or when the body is not raw.
 */
export function verify(body: RawBody, signature: unknown, secrets: Secrets): boolean {
  const keys = usableKeys(body, signature, readSecrets(secrets), Date.now);
  const digests = keys.map(({ key }) => hmac(key, body, "hex"));
  return idOfMatch([signature as string], keys, digests) !== undefined;
}

export interface Verifier {
  /** Id of the secret that made the signature, or undefined when none did. */
  match(body: RawBody, signature: unknown): Awaitable<string | undefined>;
}

/**
 * Makes a verifier for one or several secrets. The id of a secret without a name is its position:
 * "0", "1" and so on.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an empty list, an empty or blank secret, equal ids, or
 * a `notAfter` that is not a date.
 */
export function createVerifier(secrets: Secrets, now: () => number = Date.now): Verifier {
  const keys = readSecrets(secrets).map(({ id, key, endMs }) => ({ id, key: hmacKey(key), endMs }));
  return {
    match(body, signature) {
      const usable = usableKeys(body, signature, keys, now);
      const digests = allOf(usable.map(({ key }) => nativeHmac(key, body, "hex")));
      return after(digests, (all) => idOfMatch([signature as string], usable, all));
    },
  };
}

/**
 * Whether a header value has the form of a signature.
 *
 * Checked before any comparison: decoding hex would drop trailing junk, and `timingSafeEqual` throws
 * on unequal lengths.
 */
export function isSignature(value: unknown): value is string {
  return typeof value === "string" && value.length === DIGEST_LENGTH && DIGEST.test(value);
}

interface Key<Value> {
  readonly id: string;
  readonly key: Value;
  readonly endMs: number;
}

/** Returns the keys that may have made a signature; none if it does not have the form of one. */
function usableKeys<Value>(
  body: RawBody,
  signature: unknown,
  keys: readonly Key<Value>[],
  now: () => number,
): readonly Key<Value>[] {
  // First, so that a mistake in the application shows even before a valid delivery arrives.
  requireRaw(body);
  if (typeof signature !== "string" || signature.length !== DIGEST_LENGTH) return [];
  return keysInForce(keys, now);
}

export function keysInForce<Value>(
  keys: readonly Key<Value>[],
  now: () => number,
): readonly Key<Value>[] {
  return keys.filter(({ endMs }) => endMs === Infinity || endMs >= now());
}

/**
 * Returns the id of the first key whose digest is one of those given.
 * @param digests One for each key, in the same order.
 */
export function idOfMatch(
  given: readonly string[],
  keys: readonly Key<unknown>[],
  digests: readonly string[],
): string | undefined {
  // No early exit: the time taken does not reveal which secret matched.
  const matches = digests.map((digest) =>
    given.map((one) => isSameText(one, digest)).includes(true),
  );
  return keys[matches.indexOf(true)]?.id;
}

/** @throws {RiskGateError} CONFIG_INVALID for values other than bytes or text. */
export function requireRaw(body: unknown): void {
  if (typeof body === "string" || body instanceof Uint8Array) return;
  throw new RiskGateError(
    "CONFIG_INVALID",
    `expected the raw body as bytes or text, given ${typeName(body)}`,
    { hint: "Pass the raw body as received, before anything parses it" },
  );
}

/** @throws {RiskGateError} CONFIG_INVALID, as `createVerifier` does. */
export function readSecrets(secrets: Secrets): Key<SecretValue>[] {
  const list = (Array.isArray(secrets) ? secrets : [secrets]) as (SecretValue | NamedSecret)[];
  if (list.length === 0) {
    throw new RiskGateError(
      "CONFIG_INVALID",
      "`secrets` must hold at least one secret, given none",
    );
  }
  const keys = list.map((secret, position): Key<SecretValue> => {
    if (isNamed(secret)) return readNamed(secret, `secrets[${position}]`);
    requireSecret(secret, Array.isArray(secrets) ? `secrets[${position}]` : "secrets");
    return { id: String(position), key: secret, endMs: Infinity };
  });
  if (new Set(keys.map(({ id }) => id)).size < keys.length) {
    throw new RiskGateError("CONFIG_INVALID", "`secrets` must have different ids");
  }
  return keys;
}

function isNamed(secret: unknown): secret is NamedSecret {
  return typeof secret === "object" && secret !== null && !(secret instanceof Uint8Array);
}

function readNamed(secret: NamedSecret, path: string): Key<SecretValue> {
  const options = new OptionReader(secret, "", path);
  const id = options.string("id");
  if (!id) return options.refuse("id", "a text that is not empty", id);
  const key = options.value("value");
  requireSecret(key, `${path}.value`);
  const notAfter = options.value("notAfter");
  const endMs = notAfter === undefined ? Infinity : timeOf(notAfter);
  if (Number.isNaN(endMs)) options.refuse("notAfter", "a Date or ISO 8601 text", notAfter);
  // A misspelled end must not pass for a secret without one.
  options.refuseUnknown();
  return { id, key, endMs };
}

function timeOf(date: unknown): number {
  if (date instanceof Date) return date.getTime();
  return typeof date === "string" ? Date.parse(date) : NaN;
}

export function requireSecret(secret: unknown, name: string): asserts secret is SecretValue {
  const isText = typeof secret === "string";
  if (!isText && !(secret instanceof Uint8Array)) {
    throw new RiskGateError(
      "CONFIG_INVALID",
      `\`${name}\` must be a signing secret as a string or bytes, given ${typeName(secret)}`,
    );
  }
  // An empty key still yields a digest that looks valid, and that anyone could forge. So does one of
  // zeros only, because HMAC pads short keys with zeros.
  if (isText ? BLANK.test(secret) : BLANK_BYTES.test(looseTextOf(secret))) {
    throw new RiskGateError("CONFIG_INVALID", `\`${name}\` must not be empty or blank`, {
      hint: "Pass the signing secret; if it comes from the environment, check that it is set",
    });
  }
}
