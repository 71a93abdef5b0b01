import type { OptionReader } from "@riskgate/core/adapter";
import { parseCidr } from "@riskgate/core/address";
import { LOOPBACK } from "./address-guard.js";
import type { RateLimit } from "./sandbox/sandbox-limit.js";

/** What an operator can set about the HTTP side of the service. */
export interface ApiSettings {
  /** Token of the administration API, at least 16 characters; without one there is no such API. */
  readonly adminToken: string | undefined;
  /**
   * Key with which the service proves who it is to a program that shares the key, before that program
   * sends it the token; as long as a token.
   */
  readonly adminProofKey: string | undefined;
  /**
   * Networks from which administration and metrics can be reached; default this machine. What a
   * proxy has forwarded is refused.
   */
  readonly adminNetworks: readonly string[];
  /** Whether the console is served, where there is a token for it; default true. */
  readonly console: boolean;
  /**
   * Token of the metrics, as `adminToken`: with it they can be reached from everywhere, and by nobody
   * without it.
   */
  readonly metricsToken: string | undefined;
  /** Of each sandbox application; default 10 lookups per second, 100 at once. */
  readonly rateLimit: RateLimit;
}

/** Short enough to be typed, long enough not to be guessed. */
const MIN_TOKEN_LENGTH = 16;

/** What a header can hold: visible ASCII. */
const TOKEN = new RegExp(`^[!-~]{${MIN_TOKEN_LENGTH},}$`);

/**
 * Reads the options of the service that are about its HTTP side.
 *
 * @throws {RiskGateError} CONFIG_INVALID.
 */
export function readApiSettings(options: OptionReader): ApiSettings {
  return {
    adminToken: readToken(options, "adminToken"),
    adminProofKey: readToken(options, "adminProofKey"),
    adminNetworks: readNetworks(options),
    console: options.boolean("console", true),
    metricsToken: readToken(options, "metricsToken"),
    rateLimit: readRateLimit(options),
  };
}

function readToken(
  options: OptionReader,
  name: "adminToken" | "adminProofKey" | "metricsToken",
): string | undefined {
  const token = options.value(name);
  if (token === undefined || (typeof token === "string" && TOKEN.test(token))) return token;
  const expected = `a string of at least ${MIN_TOKEN_LENGTH} ASCII characters without blanks`;
  return options.refuseSecret(name, expected, token);
}

function readNetworks(options: OptionReader): readonly string[] {
  const networks = options.list("adminNetworks") ?? LOOPBACK;
  const words = new Uint32Array(4);
  const isNetwork = (value: unknown): value is string =>
    typeof value === "string" && parseCidr(value, words) !== undefined;
  if (networks.every(isNetwork)) return networks;
  const wrong = networks.find((value) => !isNetwork(value));
  return options.refuse("adminNetworks", "a list of addresses and CIDRs", wrong);
}

const DAY_SECONDS = 86_400;

function readRateLimit(options: OptionReader): RateLimit {
  const limit = options.group("rateLimit") ?? options.refuse("rateLimit", "an object", false);
  const burst = limit.number("burst", 100, { min: 1 });
  const perSecond = limit.number("perSecond", 10);
  if (perSecond === 0) limit.refuse("perSecond", "a number above 0", perSecond);
  const isWithinDay = burst / perSecond <= DAY_SECONDS;
  if (!isWithinDay) limit.refuse("perSecond", "at least `burst` in a day", perSecond);
  return { burst, perSecond };
}
