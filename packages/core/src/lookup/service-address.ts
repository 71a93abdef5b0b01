import { normalizeIp } from "../address/ip-address.js";
import { RiskGateError } from "../base/errors.js";
import type { OptionReader } from "../base/options.js";
import { TAKES_CA } from "./own-transport.js";

/** Beginnings of the service's keys; other services may have any. */
const PREFIXES: Readonly<Record<string, string>> = {
  apiKey: "rgk_",
  reportKey: "rgr_",
  blocksKey: "rgb_",
};

/**
 * Reads the option with the key, which never appears in messages.
 * @throws {RiskGateError} CONFIG_INVALID.
 */
export function readKey(options: OptionReader, name: string): string {
  const key = options.value(name);
  if (typeof key === "string" && /^[\x21-\x7e]+$/.test(key)) {
    const prefix = PREFIXES[name]!;
    if (key.startsWith(prefix) || !/^rg[krb]_/.test(key)) return key;
    return options.refuseSecret(name, `a key that begins with ${prefix}`, key);
  }
  if (key === "" || key === undefined) {
    const problem = key === "" ? "empty" : "missing";
    throw new RiskGateError("CONFIG_INVALID", `\`${name}\` is ${problem}`, {
      hint: "If it comes from the environment, check that it is set",
    });
  }
  const expected = "a string of one or more visible ASCII characters, without blanks";
  return options.refuseSecret(name, expected, key);
}

export interface ServiceConnection {
  readonly origin: string;
  /** Path before `/v1`, without a trailing slash. */
  readonly basePath: string;
  readonly timeoutMs: number;
  readonly fetch: typeof fetch | undefined;
  /** PEM text of certificate authorities to trust instead of the defaults. */
  readonly ca: string | undefined;
}

/**
 * Reads the options of a connection, except the key.
 *
 * @throws {RiskGateError} CONFIG_INVALID.
 */
export function readConnection(options: OptionReader, timeoutMs: number): ServiceConnection {
  const fetch = options.function<typeof globalThis.fetch>("fetch");
  const ca = options.string("ca");
  if (ca !== undefined && fetch) {
    options.refuseSecret("ca", "omitted when `fetch` is given, which manages the connections", ca);
  }
  if (ca !== undefined && !TAKES_CA) {
    options.refuseSecret("ca", "omitted: this runtime manages the connections", ca);
  }
  return {
    ...readBaseUrl(options),
    timeoutMs: options.durationMs("timeoutMs", timeoutMs),
    fetch,
    ca,
  };
}

/**
 * Reads the options `baseUrl` and `allowInsecureHttp`.
 *
 * @throws {RiskGateError} CONFIG_INVALID.
 */
function readBaseUrl(options: OptionReader): Pick<ServiceConnection, "origin" | "basePath"> {
  const allowInsecureHttp = options.boolean("allowInsecureHttp", false);
  const given = options.string("baseUrl");
  const refuse = (expected: string): never =>
    // Credentials precede an @, and a query or fragment may contain a key.
    /[@?#]/.test(given ?? "")
      ? options.refuseSecret("baseUrl", expected, given)
      : options.refuse("baseUrl", expected, given);

  const url = given !== undefined && URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    return refuse("an absolute URL that starts with https://");
  }
  if (url.username !== "" || url.password !== "") return refuse("a URL without credentials");
  if (/[?#]/.test(given ?? "")) return refuse("a URL without a query or fragment");
  if (url.protocol === "http:" && !allowInsecureHttp && !isLoopback(url.hostname)) {
    return refuse("an https: URL, unless `allowInsecureHttp` is set");
  }
  return { origin: url.origin, basePath: url.pathname.replace(/\/+$/, "") };
}

function isLoopback(hostname: string): boolean {
  if (hostname === "localhost" || hostname.endsWith(".localhost")) return true;
  const ip = normalizeIp(hostname.replace(/^\[|\]$/g, ""));
  return ip === "::1" || ip?.startsWith("127.") === true;
}
