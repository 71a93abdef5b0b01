/** Spellings that a mail provider treats as the same mailbox. */
export interface MailProvider {
  /** The normal form uses the first one. */
  readonly domains: readonly [string, ...string[]];
  /** Separator characters; the sub-address starts after the first one. */
  readonly separators: RegExp;
  /** Characters of a local part that the provider ignores or equates, and their replacement. */
  readonly alike?: readonly [characters: RegExp, replacement: string];
  /** Mail to any address of `eve.example.com` arrives at `eve@example.com`. */
  readonly hasSubDomains?: true;
}

const PLUS = /\+/;

/** Source: the providers' documentation; `docs/mailboxes.md` has the same table. */
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
  ...["fastmail.com", "fastmail.fm"].map((domain): MailProvider => ({
    domains: [domain],
    separators: PLUS,
    hasSubDomains: true,
  })),
  ...yahoo("yahoo.com", "yahoo.ca", "yahoo.co.in", "yahoo.co.uk", "yahoo.com.ar", "yahoo.com.au"),
  ...yahoo("yahoo.com.br", "yahoo.com.mx", "yahoo.de", "yahoo.es", "yahoo.fr", "yahoo.in"),
  ...yahoo("yahoo.it", "myyahoo.com", "rocketmail.com", "ymail.com"),
];

/** The same name is a different mailbox in each of these domains, and no name contains a hyphen. */
function yahoo(...domains: string[]): MailProvider[] {
  return domains.map((domain) => ({ domains: [domain], separators: /[+-]/ }));
}

let byDomain: ReadonlyMap<string, MailProvider> | undefined;

/** Returns the provider that owns a domain (in normal form); undefined if it has no rules here. */
export function mailProviderOf(domain: string): MailProvider | undefined {
  byDomain ??= new Map(
    MAIL_PROVIDERS.flatMap((provider) => provider.domains.map((name) => [name, provider] as const)),
  );
  return byDomain.get(domain);
}

/** Separator for all other domains: nearly every server that supports sub-addresses uses it. */
export const OTHER_SEPARATORS: RegExp = PLUS;
