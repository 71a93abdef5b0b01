import { isWithin } from "./mailbox.js";

/**
 * Domains of services that forward mail to a permanent mailbox until its owner turns the address
 * off. Services whose addresses expire are not among them: those are disposable. Compiled by hand and
 * not from the services' own lists, so domains may be missing.
 */
const SERVICES: ReadonlySet<string> = new Set([
  // Apple's Hide My Email for "Sign in with Apple".
  "privaterelay.appleid.com",
  // DuckDuckGo Email Protection, and Firefox Relay.
  ..."duck.com mozmail.com relay.firefox.com".split(" "),
  // SimpleLogin and Proton Pass.
  ..."simplelogin.co simplelogin.com simplelogin.fr 8alias.com 8shield.net aleeas.com".split(" "),
  ..."dralias.com silomails.com slmail.me slmails.com".split(" "),
  ..."passfwd.com passinbox.com passmail.com passmail.net".split(" "),
  // addy.io, formerly AnonAddy.
  ..."4wrd.cc addy.io addymail.com anonaddy.com anonaddy.me mailer.me".split(" "),
  // 33mail, Blur, erine.email, Forward Email and ManyMe.
  ..."33mail.com erine.email forwardemail.net manyme.com opayq.com".split(" "),
]);

/** Returns true if a domain in normal form, or a parent domain, belongs to a forwarding service. */
export function isForwardingDomain(domain: string): boolean {
  return isWithin(domain, SERVICES);
}
