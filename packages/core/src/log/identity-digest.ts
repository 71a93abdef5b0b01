import { createHash, createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { destinationOf } from "../address/host-address.js";
import { emailProblem } from "../address/email-address.js";
import { mailboxOf } from "../address/mailbox.js";
import type { OptionReader } from "../base/options.js";
import { readOptions } from "../base/options.js";

/** Key for digests: bytes, or text that is encoded as UTF-8. */
export type DigestSecret = string | Uint8Array;

/** Converts identifiers to digests that only the owner of the secret can compute. */
export interface IdentityDigest {
  /** 32 hex digits for an IP address in any spelling; undefined for anything else. */
  ip(text: string | undefined): string | undefined;
  /** 32 hex digits for an email address, the same for all spellings of one mailbox. */
  email(text: string | undefined): string | undefined;
}

/** Shorter keys could be guessed by brute force. */
const MIN_SECRET_BYTES = 32;

/** 128 bits: among a billion identifiers, a collision has a probability below one in 10^20. */
const HEX_DIGITS = 32;

/**
 * Creates a log's digest functions, to find an identifier's records. The format is our choice:
 * HMAC-SHA-256 of `ip` or `email`, a zero byte and the normal form, truncated to 128 bits.
 *
 * @throws {RiskGateError} CONFIG_INVALID for a secret of fewer than 32 bytes.
 */
export function createIdentityDigest(options: {
  readonly secret: DigestSecret;
  /** Use one digest for all of a mailbox's spellings at its mail provider; default true. */
  readonly providerRules?: boolean;
}): IdentityDigest {
  return readOptions("createIdentityDigest", options, readIdentityDigest);
}

/** Reads `secret` and `providerRules`. */
export function readIdentityDigest(options: OptionReader): IdentityDigest {
  const key = readSecret(options);
  const providerRules = options.boolean("providerRules", true);
  const digest = (kind: "ip" | "email", text: string): string =>
    createHmac("sha256", key).update(`${kind}\0${text}`).digest("hex").slice(0, HEX_DIGITS);
  return {
    ip(text) {
      const address = destinationOf(text);
      return address === undefined ? undefined : digest("ip", address);
    },
    email(text) {
      // Longer texts are not addresses, and would be slow to process.
      if (text === undefined || emailProblem(text) !== undefined) return undefined;
      return digest("email", mailboxOf(text, providerRules));
    },
  };
}

/** Reads `secret`; returns digests of 22 characters, which are keyed if it is given. */
export function readDigest(options: OptionReader): (text: string) => string {
  const key = options.secret("secret") === undefined ? undefined : readSecret(options);
  return (text) => {
    const made = key === undefined ? createHash("sha256") : createHmac("sha256", key);
    return made.update(text).digest("base64url").slice(0, 22);
  };
}

function readSecret(options: OptionReader): KeyObject {
  const given = options.value("secret");
  const isUsable = typeof given === "string" || given instanceof Uint8Array;
  const bytes = isUsable ? Buffer.from(given as string) : undefined;
  if (!bytes || bytes.length < MIN_SECRET_BYTES) {
    const expected = `text or bytes, at least ${MIN_SECRET_BYTES} bytes long`;
    return options.refuseSecret("secret", expected, given);
  }
  return createSecretKey(bytes);
}
