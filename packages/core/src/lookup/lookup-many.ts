import { foldEmail } from "../address/email-address.js";
import { normalizeIp } from "../address/ip-address.js";
import { RiskGateError } from "../base/errors.js";
import { readOptions } from "../base/options.js";
import type { Assessment } from "../model/assessment.js";
import type { LookupOptions, RiskLookup } from "../model/lookup.js";

/**
 * Looks up each address once, even if the list contains it several times or in several spellings.
 */
export async function lookupMany(
  { lookupIp, lookupEmail }: Pick<RiskLookup, "lookupIp" | "lookupEmail">,
  addresses: readonly string[],
  options: object,
): Promise<PromiseSettledResult<Assessment>[]> {
  const given: unknown = addresses;
  if (!Array.isArray(given)) {
    const hint = "Pass an array of IP and email addresses";
    throw new RiskGateError("INVALID_ARGUMENT", "expected a list of addresses", { hint });
  }
  const { concurrency, each } = readOptions("lookupMany", options, (read) => ({
    concurrency: read.integer("concurrency", 16, { max: 65_535 }),
    each: { signal: read.value("signal"), timeoutMs: read.value("timeoutMs") } as LookupOptions,
  }));
  const unique = new Map(addresses.map((address) => [keyOf(address), address]));
  const found = new Map<string, PromiseSettledResult<Assessment>>();
  const waiting = unique.entries();
  const work = async (): Promise<void> => {
    for (const [key, address] of waiting) {
      const lookup = isEmail(address) ? lookupEmail : lookupIp;
      const [result] = await Promise.allSettled([lookup(address, each)]);
      found.set(key, result);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, unique.size) }, work));
  return addresses.map((address) => found.get(keyOf(address))!);
}

/** An IP address never contains an `@`; only lookups report other values. */
function isEmail(address: unknown): boolean {
  return typeof address === "string" && address.includes("@");
}

function keyOf(address: string): string {
  return isEmail(address) ? foldEmail(address) : (normalizeIp(address) ?? address);
}
