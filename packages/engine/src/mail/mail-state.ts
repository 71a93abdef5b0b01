import type { Resolver } from "node:dns/promises";

/** Whether a domain receives mail: yes, no for one of two reasons, or not known. */
export type MailState = "mail" | "no_record" | "null_mx" | "unknown";

/** The part of a resolver that is asked. */
export type MailResolver = Pick<Resolver, "resolveMx" | "resolve4" | "resolve6">;

/**
 * Asks DNS whether a domain receives mail. Never rejects.
 *
 * Source: RFC 5321, section 5.1: without an MX record, the addresses of the domain itself are where
 * mail goes; RFC 7505: an MX record that names the root means that the domain takes no mail.
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

/** Records of one type, or that the name does not exist, or that DNS did not answer. */
async function recordsOf(query: Promise<string[]>): Promise<string[] | "no_name" | "failed"> {
  try {
    return await query;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENODATA") return [];
    return code === "ENOTFOUND" ? "no_name" : "failed";
  }
}
