import { Resolver } from "node:dns/promises";
import type { OptionReader } from "@riskgate/core/adapter";

/** Options for the check whether an email's domain receives mail; `{}` enables it. */
export interface MxOptions {
  /**
   * Maximum wait for one domain, in milliseconds; default 500. Without a result, no signal is
   * added.
   */
  readonly timeoutMs?: number;
  /** Maximum number of cached domains; default 10,000. */
  readonly cacheSize?: number;
  /** How long a result is cached, in milliseconds; default 1 hour. */
  readonly ttlMs?: number;
  /** Maximum number of domains queried concurrently; default 16. */
  readonly concurrency?: number;
  /** Name servers, such as `192.0.2.53` or `[2001:db8::1]:53`; default the system's. */
  readonly servers?: readonly string[];
}

export interface MxSettings extends Required<Omit<MxOptions, "servers">> {
  readonly servers: readonly string[] | undefined;
}

const HOUR_MS = 3_600_000;

/** Reads the option `mx`; undefined if the check is off. @throws {RiskGateError} CONFIG_INVALID */
export function readMxOptions(options: OptionReader): MxSettings | undefined {
  if (options.value("mx") === undefined) return undefined;
  const mx = options.group("mx");
  if (!mx) return undefined;
  return {
    timeoutMs: mx.durationMs("timeoutMs", 500),
    cacheSize: mx.integer("cacheSize", 10_000, { max: 10_000_000 }),
    ttlMs: mx.integer("ttlMs", HOUR_MS, { max: 30 * 24 * HOUR_MS }),
    concurrency: mx.integer("concurrency", 16, { max: 1_000 }),
    servers: readServers(mx),
  };
}

function readServers(options: OptionReader): readonly string[] | undefined {
  const servers = options.list("servers") as readonly string[] | undefined;
  if (!servers) return undefined;
  try {
    new Resolver().setServers(servers);
  } catch {
    return options.refuse("servers", 'a list of addresses such as "192.0.2.53:53"', servers);
  }
  return servers.length > 0 ? [...servers] : options.refuse("servers", "a server", servers);
}
