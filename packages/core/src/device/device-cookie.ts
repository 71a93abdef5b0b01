import { mailboxOf } from "../address/mailbox.js";
import { hmacKey, type HmacKey, isSameText, nativeHmac, randomText } from "../base/platform.js";
import { after, allOf, type Awaitable } from "../model/awaitable.js";
import type { SecretValue } from "../webhook/signature.js";

/** A secret of the application, valid until `endMs`. */
interface CookieSecret {
  readonly key: SecretValue;
  readonly endMs: number;
}

export interface CookieSettings {
  /** The first valid one signs; each valid one verifies. */
  readonly secrets: readonly CookieSecret[];
  /** How long a cookie is valid, in milliseconds. */
  readonly ttlMs: number;
  /** True for a cookie that browsers also send without TLS. */
  readonly insecure: boolean;
  readonly now: () => number;
}

/** A valid cookie. */
export interface Device {
  readonly id: string;
  /** Keyed digest of the mailbox. */
  readonly account: string;
  readonly issuedMs: number;
  readonly leftMs: number;
}

interface Candidate extends Device {
  readonly mac: string;
}

export interface DeviceCookies {
  /** Returns a `Set-Cookie` header. */
  issue(account: string, issuedMs: number): Awaitable<string>;
  /** Returns undefined unless the header has a valid cookie of the account. Never throws. */
  read(header: string, account: string): Awaitable<Device | undefined>;
  /** Returns `Set-Cookie` headers that remove the oldest cookies of a browser with too many accounts. */
  surplus(header: string): readonly string[];
  /** Returns the keyed digests of an account, one for each valid secret. */
  digests(account: string): readonly Awaitable<string>[];
}

/** Tolerated clock difference between servers that share a secret, in milliseconds. */
const CLOCK_SKEW_MS = 60_000;

/** Issue time, nonce, signature. */
const VALUE = "([1-9][0-9]{12})\\.([A-Za-z0-9_-]{22})\\.([A-Za-z0-9_-]{43})";

/** Digits of an account's digest. It is in the name: each account of a browser has its own cookie. */
const NAME_DIGITS = 11;

/** Accounts that one browser may have, about 2 kB of cookies: servers refuse large headers. */
const MAX_ACCOUNTS = 16;

export function createDeviceCookies(settings: CookieSettings): DeviceCookies {
  const { ttlMs, insecure, now } = settings;
  const prefix = insecure ? "riskgate-device-" : "__Host-riskgate-device-";
  const attributes = `Path=/; HttpOnly; SameSite=Lax${insecure ? "" : "; Secure"}`;
  const cookie = new RegExp(`(?:^|; *)(${prefix}[\\w-]{${NAME_DIGITS}})=(\\d*)`, "g");
  const secrets = settings.secrets.map(({ key, endMs }) => ({ key: hmacKey(key), endMs }));
  const keys = (): readonly HmacKey[] =>
    secrets.filter(({ endMs }) => endMs >= now()).map(({ key }) => key);

  const valid = new RegExp(`(?:^|; *)${prefix}([\\w-]{${NAME_DIGITS}})=${VALUE}(?=;|$)`, "g");

  /** Returns the cookies that have not expired, the newest first. */
  const candidatesIn = (header: string): readonly Candidate[] =>
    [...header.matchAll(valid)]
      .slice(-MAX_ACCOUNTS)
      .map(([, account = "", issued = "", id = "", mac = ""]) => {
        const issuedMs = Number(issued);
        return { account, issuedMs, leftMs: issuedMs + ttlMs - now(), id, mac };
      })
      .filter(({ leftMs }) => leftMs > 0 && leftMs <= ttlMs + CLOCK_SKEW_MS)
      .sort((one, other) => other.issuedMs - one.issuedMs);

  return {
    issue(account, issuedMs) {
      const mailbox = mailboxIn(account);
      const [key] = keys();
      if (!key) throw new RangeError("every secret has ended");
      const id = randomText(16);
      return after(accountDigest(key, mailbox), (digest) => {
        const device = { account: digest, issuedMs: Math.floor(issuedMs), id };
        return after(macOf(key, device, mailbox), (mac) => {
          const value = `${device.issuedMs}.${id}.${mac}`;
          return `${prefix}${digest}=${value}; Max-Age=${Math.floor(ttlMs / 1000)}; ${attributes}`;
        });
      });
    },
    read(header, account) {
      if (!header.includes(prefix)) return undefined;
      const mailbox = mailboxIn(account);
      const usable = keys();
      const found = candidatesIn(header).flatMap((one) => usable.map((key) => ({ ...one, key })));
      const macs = allOf(found.map((one) => macOf(one.key, one, mailbox)));
      return after(
        macs,
        (all) => found[all.findIndex((mac, at) => isSameText(found[at]!.mac, mac))],
      );
    },
    surplus(header) {
      if (!header.includes(prefix)) return [];
      const newest = [...header.matchAll(cookie)].sort(
        ([, , one], [, , other]) => Number(other) - Number(one),
      );
      return newest.slice(MAX_ACCOUNTS).map(([, name]) => `${name}=; Max-Age=0; ${attributes}`);
    },
    digests: (account) => keys().map((key) => accountDigest(key, mailboxIn(account))),
  };
}

/** Without provider rules: if one is wrong, two people would share a device. */
function mailboxIn(account: string): string {
  return mailboxOf(account, false);
}

function accountDigest(key: HmacKey, mailbox: string): Awaitable<string> {
  const digest = nativeHmac(key, `riskgate device account ${mailbox}`, "base64url");
  return after(digest, (text) => text.slice(0, NAME_DIGITS));
}

function macOf(
  key: HmacKey,
  { account, issuedMs, id }: Pick<Device, "account" | "id" | "issuedMs">,
  mailbox: string,
): Awaitable<string> {
  const text = `riskgate device ${account} ${issuedMs} ${id} ${mailbox}`;
  return nativeHmac(key, text, "base64url");
}
