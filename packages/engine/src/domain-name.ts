import { domainToASCII } from "node:url";

/** Labels joined by dots, of which the last is no number: so no IPv4 address is a domain name. */
const DOMAIN_NAME = /^(?:[a-z0-9_-]{1,63}\.)+(?=[0-9-]{0,62}[a-z])[a-z0-9-]{1,63}$/;

const BEYOND_ASCII = /[\u0080-\uffff]/;

/**
 * The one spelling of a domain name: lower case, ASCII (`xn--` for other scripts), without the dot
 * at its end.
 *
 * @returns undefined for anything else, a single label included.
 */
export function normalizeDomain(text: string): string | undefined {
  const lower = text.toLowerCase();
  // Nearly every domain is in this form already.
  if (isDomainName(lower)) return lower;
  const trimmed = lower.trim();
  const ascii = BEYOND_ASCII.test(trimmed) ? domainToASCII(trimmed) : trimmed;
  const domain = ascii.endsWith(".") ? ascii.slice(0, -1) : ascii;
  return isDomainName(domain) ? domain : undefined;
}

function isDomainName(text: string): boolean {
  return text.length <= 253 && DOMAIN_NAME.test(text);
}
