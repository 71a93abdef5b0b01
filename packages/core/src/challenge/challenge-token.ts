import { hmacKey, type HmacKey, isSameText, nativeHmac, randomText } from "../base/platform.js";
import { after, allOf, type Awaitable } from "../model/awaitable.js";

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

export interface TokenIssuer {
  issue(scope: TokenScope): Awaitable<IssuedToken>;
  /** Returns undefined unless the token is valid for this scope. Never throws. */
  verify(token: unknown, scope: TokenScope): Awaitable<ValidToken | undefined>;
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
  const keys = secrets.map(hmacKey);
  let ids: readonly string[] | undefined;
  // On first use, because some runtimes compute no digests at set-up.
  const keyIds = () => ids ?? after(allOf(keys.map(keyId)), (all) => (ids = all));

  return {
    issue: (scope) =>
      after(keyIds(), ([id]) => {
        const expiresMs = Math.floor(now() + ttlMs);
        const head = `rgc1.${id}.${expiresMs}.${randomText(16)}`;
        const mac = macOf(keys[0]!, head, scope);
        return after(mac, (text) => ({ token: `${head}.${text}`, expiresMs }));
      }),
    verify(token, scope) {
      if (typeof token !== "string" || token.length !== TOKEN_LENGTH) return undefined;
      const parts = TOKEN.exec(token)?.groups;
      if (!parts) return undefined;
      const head = token.slice(0, -parts.mac!.length - 1);
      const leftMs = Number(parts.expiry) - now();
      // Expiring later than any new token: the clock was set back, and the nonce may be forgotten.
      if (leftMs <= 0 || leftMs > ttlMs + CLOCK_SKEW_MS) return undefined;
      return after(keyIds(), (all) => {
        const named = keys.filter((_, at) => all[at] === parts.keyId);
        return after(allOf(named.map((key) => macOf(key, head, scope))), (macs) => {
          const key = named[macs.findIndex((mac) => isSameText(parts.mac!, mac))];
          if (!key) return undefined;
          // With the token's own key, so that a token stays used when secrets are rotated.
          const digest = networkDigest(key, scope.network);
          return after(digest, (network) => ({ nonce: parts.nonce!, network, leftMs }));
        });
      });
    },
  };
}

/** Returns a short id that does not reveal the key. */
function keyId(key: HmacKey): Awaitable<string> {
  return after(nativeHmac(key, "riskgate challenge key id", "hex"), (id) => id.slice(0, 8));
}

/** A /48, which one customer may have, has 256 networks of /56, but 65,536 of /64. */
function networkDigest(key: HmacKey, network: string | null): Awaitable<string> {
  const wider = network?.replace(/[0-9a-f]{1,2}\/64$/, "/56");
  return nativeHmac(key, `riskgate network ${wider}`, "base64url");
}

/** Signs a JSON list, which is unambiguous: no part of the scope can be mistaken for another. */
function macOf(key: HmacKey, head: string, scope: TokenScope): Awaitable<string> {
  const { method, path, network, mailbox } = scope;
  const text = JSON.stringify(["riskgate challenge", head, method, path, network, mailbox]);
  return nativeHmac(key, text, "base64url");
}
