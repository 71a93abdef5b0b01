/** As in decision logs: 128 bits. */
const HEX_DIGITS = 32;

/** Shorter secrets are refused by decision logs too. */
export const MIN_SECRET_BYTES = 32;

/**
 * Returns the digest of an identifier in a decision log, computed in the browser, so that the secret
 * of the log stays there. Like `createIdentityDigest` of core, which needs Node.
 *
 * @param identity The address, or the normal form of the mailbox.
 */
export async function identityDigest(
  type: "ip" | "account",
  identity: string,
  secret: string,
): Promise<string> {
  const text = `${type === "ip" ? "ip" : "email"}\0${identity}`;
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey(
    "raw",
    encoder.encode(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.slice(0, HEX_DIGITS);
}
