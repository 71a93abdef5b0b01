import { hash, randomBytes } from "node:crypto";

/** Make a key: `rgk_` and 43 characters that carry 256 random bits. */
export function newApiKey(): string {
  return `rgk_${randomBytes(32).toString("base64url")}`;
}

/**
 * Hash a key the way it is kept: SHA-256 in hex.
 *
 * A fast hash is enough: unlike a password, a key of 256 random bits cannot be guessed from it.
 */
export function hashApiKey(key: string): string {
  return hash("sha256", key);
}

/** Make a signing secret: 256 random bits in hex. */
export function newSigningSecret(): string {
  return randomBytes(32).toString("hex");
}
