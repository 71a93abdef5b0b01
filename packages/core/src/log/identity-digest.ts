import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { emailProblem } from "../address/email-address.js";
import { normalizeIp } from "../address/ip-address.js";
import { mailboxOf } from "../address/mailbox.js";
import type { OptionReader } from "../base/options.js";
import { readOptions } from "../base/options.js";

/** Key of the digests: text is used as its UTF-8 bytes. */
export type DigestSecret = string | Uint8Array;

/** Turns identifiers into digests that only the owner of the secret can compute. */
export interface IdentityDigest {
  /** 32 hex digits for an IP address in any spelling; undefined for anything else. */
  ip(text: string | undefined): string | undefined;
  /** 32 hex digits for an email address, the same for all spellings of one mailbox. */
  email(text: string | undefined): string | undefined;
}

/** As many bytes as the digest of the key has: fewer could be tried out. */
const MIN_SECRET_BYTES = 32;

/** 128 bits: two of a billion identifiers meet with a probability below one in 10^20. */
const HEX_DIGITS = 32;

/**
 * Makes the digests of a log, to find identifiers in it again. Source of the form: a choice of ours,
 * HMAC-SHA-256 of `ip` or `email`, a zero byte and the identifier in its normal form, cut to 128 bits.
 *
 * @throws {RiskGateError} CONFIG_INVALID for a secret of fewer than 32 bytes.
 */
export function createIdentityDigest(options: {
  /** The secret of the log. */
  readonly secret: DigestSecret;
  /** Gives all spellings that the mail provider treats as one mailbox the same digest; default true. */
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
      const address = normalizeIp(text);
      return address === undefined ? undefined : digest("ip", address);
    },
    email(text) {
      // Longer texts are not addresses, and would take long.
      if (text === undefined || emailProblem(text) !== undefined) return undefined;
      return digest("email", mailboxOf(text, providerRules));
    },
  };
}

function readSecret(options: OptionReader): KeyObject {
  const given = options.value("secret");
  const isUsable = typeof given === "string" || given instanceof Uint8Array;
  const bytes = isUsable ? Buffer.from(given as string) : undefined;
  if (!bytes || bytes.length < MIN_SECRET_BYTES) {
    const expected = `text or bytes, at least ${MIN_SECRET_BYTES} bytes of them`;
    return options.refuseSecret("secret", expected, given);
  }
  return createSecretKey(bytes);
}
