import { createHmac, randomBytes } from "node:crypto";
import { createTokenIssuer, type TokenScope } from "../../src/challenge/challenge-token.js";

export const SECRET = "0123456789abcdef0123456789abcdef";

/** The request that every attack wants to get through. */
export const SCOPE: TokenScope = {
  method: "POST",
  path: "/signup",
  network: "8.8.8.8",
  mailbox: "a@x.y",
};

export const TTL_MS = 300_000;

/** A moment to count from. */
export const START_MS = 1_800_000_000_000;

/** Ways to a token that must not be accepted; `n` makes each one different. */
export const ATTACKS: Readonly<Record<string, (n: number) => unknown>> = {
  "a made-up signature": async () => {
    const head = (await issuedAt(START_MS, SCOPE)).split(".").slice(0, -1).join(".");
    return `${head}.${randomBytes(32).toString("base64url")}`;
  },
  "the secret of somebody else": async (n) => {
    const secret = String(n).padStart(32, "x");
    const issuer = createTokenIssuer({ secrets: [secret], ttlMs: TTL_MS, now });
    return (await issuer.issue(SCOPE)).token;
  },
  "the id of our key and the secret of somebody else": async (n) => {
    const [version, id, expiry, nonce] = (await issuedAt(START_MS, SCOPE)).split(".");
    const head = [version, id, expiry, nonce].join(".");
    const mac = createHmac("sha256", String(n)).update(head).digest("base64url");
    return `${head}.${mac}`;
  },
  "one character changed": async (n) => {
    const token = await issuedAt(START_MS, SCOPE);
    const at = n % token.length;
    const other = token[at] === "A" ? "B" : "A";
    return token.slice(0, at) + other + token.slice(at + 1);
  },
  "a later expiry": async (n) => {
    const parts = (await issuedAt(START_MS, SCOPE)).split(".");
    parts[2] = String(Number(parts[2]) + 1 + n);
    return parts.join(".");
  },
  "another nonce": async () => {
    const parts = (await issuedAt(START_MS, SCOPE)).split(".");
    parts[3] = randomBytes(16).toString("base64url");
    return parts.join(".");
  },
  "an expiry in the past": (n) => issuedAt(START_MS - TTL_MS - n, SCOPE),
  "an expiry that no token gets": (n) => issuedAt(START_MS + 60_001 + n, SCOPE),
  "another mailbox": (n) => issuedAt(START_MS, { ...SCOPE, mailbox: `a${n}@x.y` }),
  "no mailbox": () => issuedAt(START_MS, { ...SCOPE, mailbox: null }),
  "another network": (n) => issuedAt(START_MS, { ...SCOPE, network: `9.9.${n >> 8}.${n & 255}` }),
  "no network": () => issuedAt(START_MS, { ...SCOPE, network: null }),
  "another path": (n) => issuedAt(START_MS, { ...SCOPE, path: `/signup/${n}` }),
  "another method": (n) => issuedAt(START_MS, { ...SCOPE, method: n % 2 ? "PUT" : "GET" }),
  "a part that pretends to be two": (n) =>
    issuedAt(START_MS, { ...SCOPE, path: `/signup","8.8.8.8`, network: `a@x.y${n}` }),
  "no text": async (n) => [undefined, null, n, {}, [await issuedAt(START_MS, SCOPE)]][n % 5],
  "text around it": async (n) => {
    const token = await issuedAt(START_MS, SCOPE);
    return [` ${token}`, `${token}\n`, `${token}.`, token.repeat(2), token.slice(1)][n % 5];
  },
};

/** The clock of the gate under attack. */
export const now = (): number => START_MS;

/** A token of our own, issued at this moment for this scope. */
export async function issuedAt(ms: number, scope: TokenScope): Promise<string> {
  const issuer = createTokenIssuer({ secrets: [SECRET], ttlMs: TTL_MS, now: () => ms });
  return (await issuer.issue(scope)).token;
}
