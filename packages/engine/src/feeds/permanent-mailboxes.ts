/**
 * Domains that the shipped list wrongly contains: their mailboxes last for years. Forwarding
 * services are not among them, because the option `forwarding` controls those.
 */
export const PERMANENT_MAILBOXES: ReadonlySet<string> = new Set([
  // Hushmail, Tuta and other providers of ordinary accounts.
  "hush.ai",
  "hush.com",
  "keemail.me",
  "lavabit.com",
  "mail2world.com",
  "safe-mail.net",
  "sdf.org",
  "tom.com",
  // A university.
  "nus.edu.sg",
  // Domains that mail.com offers for ordinary accounts.
  "alumni.com",
  "collector.org",
  "consultant.com",
  "contractor.net",
  "discofan.com",
  "dr.com",
  "mexicomail.com",
  "myself.com",
  "optician.com",
  "pacific-ocean.com",
  "photographer.net",
  "presidency.com",
  "priest.com",
  "protestant.com",
  "salesperson.net",
  "techie.com",
  "uymail.com",
  "writeme.com",
]);
