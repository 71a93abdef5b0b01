import { domainOf, foldEmail } from "./email-address.js";
import { RiskGateError } from "../base/errors.js";
import { createIpTable } from "./ip-table.js";

/** A fixed list of addresses, networks, email addresses and domains. */
export interface SubjectList {
  hasIp(ip: string): boolean;
  /** True for a listed address, and for every address of a listed domain or of its sub-domains. */
  hasEmail(email: string): boolean;
}

/** Labels with dots between; the last is no number, or a misspelled IP address would be a domain. */
const DOMAIN = /^@?(?:[^\s@/:.*]+\.)+(?![\d-]+$)[^\s@/:.*]+$/;

/**
 * Compile an allow or deny list.
 *
 * @param option Name of the option, for the error.
 * @returns undefined for an empty list, which nothing can be on.
 * @throws {RiskGateError} CONFIG_INVALID for an entry that is none of these, because an entry that
 * never matches is a protection that is not there.
 */
export function createSubjectList(
  option: string,
  entries: readonly string[] = [],
): SubjectList | undefined {
  const networks: string[] = [];
  const emails = new Set<string>();
  const domains = new Set<string>();
  const refuse = (position: number): never => {
    throw new RiskGateError(
      "CONFIG_INVALID",
      `\`${option}[${position}]\` must be an IP address, a network, an email address or a domain`,
    );
  };
  if (!Array.isArray(entries))
    throw new RiskGateError("CONFIG_INVALID", `\`${option}\` must be a list`);
  for (const [position, entry] of entries.entries()) {
    if (typeof entry !== "string") refuse(position);
    else if (createIpTable([[entry, 1]]).size === 1) networks.push(entry);
    else if (DOMAIN.test(entry)) domains.add(entry.replace("@", "").toLowerCase());
    else if (entry.lastIndexOf("@") > 0 && !/\s/.test(entry)) emails.add(foldEmail(entry));
    else refuse(position);
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
