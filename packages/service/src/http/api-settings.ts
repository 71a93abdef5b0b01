import type { OptionReader } from "@riskgate/core/adapter";
import type { RateLimit } from "./request-limits.js";

/** HTTP options of the service. */
export interface ApiSettings {
  /** Token for the administration API, at least 16 characters; undefined to disable that API. */
  readonly adminToken: string | undefined;
  /**
   * Key with which the service proves its identity to a program that shares the key, before that
   * program sends the token. At least as long as a token.
   */
  readonly adminProofKey: string | undefined;
  /**
   * Origin at which browsers reach the console through a proxy: `https://risk.example.com`. The
   * console accepts its pages, links begin with it, and the metrics require a token.
   */
  readonly adminOrigin: string | undefined;
  /** Serves the console if there is an `adminToken`; default true. */
  readonly console: boolean;
  /**
   * Token for the metrics, in the same form as `adminToken`. By default the metrics require the
   * `adminToken` if other machines can reach them, and no token if only this machine can.
   */
  readonly metricsToken: string | undefined;
  /** Limit for each sandbox application; default 10 lookups per second, with bursts of 100. */
  readonly rateLimit: RateLimit;
}

/** Short enough to type, long enough not to be guessed. */
const MIN_TOKEN_LENGTH = 16;

const TOKEN = new RegExp(`^[!-~]{${MIN_TOKEN_LENGTH},}$`);

export function readApiSettings(options: OptionReader): ApiSettings {
  return {
    adminToken: readToken(options, "adminToken"),
    adminProofKey: readToken(options, "adminProofKey"),
    adminOrigin: readOrigin(options),
    console: options.boolean("console", true),
    metricsToken: readToken(options, "metricsToken"),
    rateLimit: readRateLimit(options),
  };
}

function readToken(
  options: OptionReader,
  name: "adminToken" | "adminProofKey" | "metricsToken",
): string | undefined {
  const token = options.secret(name);
  if (token === undefined || (typeof token === "string" && TOKEN.test(token))) return token;
  const expected = `a string of at least ${MIN_TOKEN_LENGTH} ASCII characters without blanks`;
  return options.refuseSecret(name, expected, token);
}

function readOrigin(options: OptionReader): string | undefined {
  const origin = options.string("adminOrigin");
  if (origin === undefined) return undefined;
  const isOrigin =
    /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
  const expected = "an origin without a path, such as https://risk.example.com";
  return isOrigin ? origin : options.refuse("adminOrigin", expected, origin);
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
