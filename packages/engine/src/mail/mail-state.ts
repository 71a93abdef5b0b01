import type { Resolver } from "node:dns/promises";

/** Whether a domain receives mail: yes, no for one of two reasons, or unknown. */
export type MailState = "mail" | "no_record" | "null_mx" | "unknown";

export type MailResolver = Pick<Resolver, "resolveMx" | "resolve4" | "resolve6">;

/**
 * Queries DNS for whether a domain receives mail. Never rejects.
 *
 * Source: RFC 5321, section 5.1: without an MX record, mail goes to the addresses of the domain
 * itself; RFC 7505: an MX record that names the root means that the domain accepts no mail.
 */
export async function askMailState(resolver: MailResolver, domain: string): Promise<MailState> {
  const exchanges = await recordsOf(
    resolver.resolveMx(domain).then((found) => found.map(({ exchange }) => exchange)),
  );
  if (typeof exchanges === "string") return exchanges === "failed" ? "unknown" : "no_record";
  if (exchanges.length > 0) {
    return exchanges.some((name) => name !== "" && name !== ".") ? "mail" : "null_mx";
  }
  const addresses = await Promise.all([
    recordsOf(resolver.resolve4(domain)),
    recordsOf(resolver.resolve6(domain)),
  ]);
  if (addresses.some((found) => Array.isArray(found) && found.length > 0)) return "mail";
  return addresses.includes("failed") ? "unknown" : "no_record";
}

/**
 * Resolves to the records of one type, that the name does not exist, or that DNS did not respond.
 */
async function recordsOf(query: Promise<string[]>): Promise<string[] | "no_name" | "failed"> {
  try {
    return await query;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENODATA") return [];
    return code === "ENOTFOUND" ? "no_name" : "failed";
  }
}
