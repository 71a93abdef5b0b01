/** How the spellings of one mailbox differ at a provider. */
export interface MailProvider {
  /** Its domains. The normal form has the first one. */
  readonly domains: readonly [string, ...string[]];
  /** A sub-address follows the first of these characters. */
  readonly separators: RegExp;
  /** Characters of a local part that make no difference, and what replaces each of them. */
  readonly alike?: readonly [characters: RegExp, replacement: string];
  /** Mail to any address of `eve.example.com` arrives at `eve@example.com`. */
  readonly hasSubDomains?: true;
}

const PLUS = /\+/;

/** Source: what the providers document; `docs/mailboxes.md` has the same table. */
export const MAIL_PROVIDERS: readonly MailProvider[] = [
  { domains: ["gmail.com", "googlemail.com"], separators: PLUS, alike: [/\./g, ""] },
  {
    domains: ["proton.me", "protonmail.com", "protonmail.ch", "pm.me"],
    separators: PLUS,
    alike: [/[._-]/g, ""],
  },
  { domains: ["icloud.com", "me.com", "mac.com"], separators: PLUS },
  {
    domains: ["yandex.ru", "ya.ru", "yandex.com", "yandex.by", "yandex.kz", "yandex.com.tr"],
    separators: PLUS,
    alike: [/-/g, "."],
  },
  { domains: ["fastmail.com"], separators: PLUS, hasSubDomains: true },
  { domains: ["fastmail.fm"], separators: PLUS, hasSubDomains: true },
  ...yahoo("yahoo.com", "yahoo.ca", "yahoo.co.in", "yahoo.co.uk", "yahoo.com.ar", "yahoo.com.au"),
  ...yahoo("yahoo.com.br", "yahoo.com.mx", "yahoo.de", "yahoo.es", "yahoo.fr", "yahoo.in"),
  ...yahoo("yahoo.it", "myyahoo.com", "rocketmail.com", "ymail.com"),
];

/** The same name is a different mailbox in each of these domains, and no name contains a hyphen. */
function yahoo(...domains: string[]): MailProvider[] {
  return domains.map((domain) => ({ domains: [domain], separators: /[+-]/ }));
}

let byDomain: ReadonlyMap<string, MailProvider> | undefined;

/** Returns the provider of a domain in its normal form; undefined if the provider has no rules here. */
export function mailProviderOf(domain: string): MailProvider | undefined {
  // Made on first use, because an import should cost little.
  byDomain ??= new Map(
    MAIL_PROVIDERS.flatMap((provider) => provider.domains.map((name) => [name, provider] as const)),
  );
  return byDomain.get(domain);
}

/** Rules of every other domain: mail servers that know sub-addresses are nearly always set to this. */
export const OTHER_SEPARATORS: RegExp = PLUS;
