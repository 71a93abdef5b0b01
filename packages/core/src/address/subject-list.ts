import { domainOf, foldEmail } from "./email-address.js";
import { createIpTable } from "./ip-table.js";
import type { OptionReader } from "../base/options.js";

/** A fixed list of addresses, networks, email addresses and domains. */
export interface SubjectList {
  hasIp(ip: string): boolean;
  /** True for a listed address, and for every address of a listed domain or of its sub-domains. */
  hasEmail(email: string): boolean;
}

/** Labels with dots between; the last is not a number, or a misspelled IP address would be a domain. */
const DOMAIN = /^@?(?:[^\s@/:.*]+\.)+(?![\d-]+$)[^\s@/:.*]+$/;

/**
 * Read an option that is an allow or deny list.
 *
 * @returns Undefined where it is left out or empty.
 * @throws {RiskGateError} CONFIG_INVALID for any other entry, because an entry that never matches is
 * a protection that does not exist.
 */
export function readSubjectList(options: OptionReader, name: string): SubjectList | undefined {
  const networks: string[] = [];
  const emails = new Set<string>();
  const domains = new Set<string>();
  const entries = options.list(name) ?? [];
  for (const [position, entry] of entries.entries()) {
    const text = typeof entry === "string" ? entry : "";
    if (createIpTable([[text, 1]]).size === 1) networks.push(text);
    else if (DOMAIN.test(text)) domains.add(text.replace("@", "").toLowerCase());
    else if (text.lastIndexOf("@") > 0 && !/\s/.test(text)) emails.add(foldEmail(text));
    else {
      const expected = "an IP address, a network, an email address or a domain";
      options.refuse(`${name}[${position}]`, expected, entry);
    }
  }
  if (entries.length === 0) return undefined;
  const table = createIpTable(networks.map((network) => [network, 1]));

  return {
    hasIp: (ip) => networks.length > 0 && table.marksOf(ip) > 0,
    hasEmail(email) {
      if (emails.has(foldEmail(email))) return true;
      if (domains.size === 0) return false;
      let domain = domainOf(email);
      while (domain !== "") {
        if (domains.has(domain)) return true;
        const dot = domain.indexOf(".");
        domain = dot < 0 ? "" : domain.slice(dot + 1);
      }
      return false;
    },
  };
}
