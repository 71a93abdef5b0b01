import { hmac, type HmacKey, hmacKey, isSameText, randomText } from "../base/platform.js";

/** The request that a token is valid for. */
export interface TokenScope {
  readonly method: string;
  /** Request path as the client sent it, without the query. */
  readonly path: string;
  /** The client's network; null if its address is unknown. */
  readonly network: string | null;
  /** The mailbox; null if the request has no email. */
  readonly mailbox: string | null;
}

interface IssuedToken {
  readonly token: string;
  readonly expiresMs: number;
}

/** A token that is valid for its request. */
export interface ValidToken {
  readonly nonce: string;
  /** Keyed digest of the client's network, an IPv4 address or an IPv6 /56. */
  readonly network: string;
  /** How long the token is still valid, in milliseconds. */
  readonly leftMs: number;
}

/** Issues and verifies tokens. */
export interface TokenIssuer {
  issue(scope: TokenScope): IssuedToken;
  /** Returns undefined unless the token is valid for this scope. Never throws. */
  verify(token: unknown, scope: TokenScope): ValidToken | undefined;
}

export interface TokenSettings {
  /** The first one signs; all are accepted when verifying. */
  readonly secrets: readonly string[];
  readonly ttlMs: number;
  /** Time of day in milliseconds, for tests. */
  readonly now?: () => number;
}

/** Tolerated clock difference between servers that share a secret, in milliseconds. */
export const CLOCK_SKEW_MS = 60_000;

/** Version, key id, expiry time, nonce, signature. */
const TOKEN =
  /^rgc1\.(?<keyId>[0-9a-f]{8})\.(?<expiry>[1-9][0-9]{12})\.(?<nonce>[A-Za-z0-9_-]{22})\.(?<mac>[A-Za-z0-9_-]{43})$/;
const TOKEN_LENGTH = 4 + 1 + 8 + 1 + 13 + 1 + 22 + 1 + 43;

/**
 * Creates the token issuer for one gate. A token contains only its expiry and a nonce. The scope is
 * signed but not included, so a token contains no personal data.
 */
export function createTokenIssuer(settings: TokenSettings): TokenIssuer {
  const { secrets, ttlMs, now = Date.now } = settings;
  const keys = secrets.map((secret) => {
    const key = hmacKey(secret);
    return { id: keyId(key), key };
  });
  const signing = keys[0]!;

  return {
    issue(scope) {
      const expiresMs = Math.floor(now() + ttlMs);
      const head = `rgc1.${signing.id}.${expiresMs}.${randomText(16)}`;
      return { token: `${head}.${macOf(signing.key, head, scope)}`, expiresMs };
    },
    verify(token, scope) {
      if (typeof token !== "string" || token.length !== TOKEN_LENGTH) return undefined;
      const parts = TOKEN.exec(token)?.groups;
      if (!parts) return undefined;
      const head = token.slice(0, -parts.mac!.length - 1);
      const signed = keys.find(
        ({ id, key }) => id === parts.keyId && isSameText(parts.mac!, macOf(key, head, scope)),
      );
      const leftMs = Number(parts.expiry) - now();
      // Expiring later than any new token: the clock was set back, and the nonce may be forgotten.
      const isInTime = leftMs > 0 && leftMs <= ttlMs + CLOCK_SKEW_MS;
      if (!signed || !isInTime) return undefined;
      // With the token's own key, so that a token stays used when secrets are rotated.
      return { nonce: parts.nonce!, network: networkDigest(signed.key, scope.network), leftMs };
    },
  };
}

/** Returns a short id that does not reveal the key. */
function keyId(key: HmacKey): string {
  return hmac(key, "riskgate challenge key id", "hex").slice(0, 8);
}

/** A /48, which one customer may have, has 256 networks of /56, but 65,536 of /64. */
function networkDigest(key: HmacKey, network: string | null): string {
  const wider = network?.replace(/[0-9a-f]{1,2}\/64$/, "/56");
  return hmac(key, `riskgate network ${wider}`, "base64url");
}

/** Signs a JSON list, which is unambiguous: no part of the scope can be mistaken for another. */
function macOf(key: HmacKey, head: string, scope: TokenScope): string {
  const { method, path, network, mailbox } = scope;
  const text = JSON.stringify(["riskgate challenge", head, method, path, network, mailbox]);
  return hmac(key, text, "base64url");
}
