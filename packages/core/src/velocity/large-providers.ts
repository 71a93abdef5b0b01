import { MAIL_PROVIDERS } from "../address/mail-providers.js";

/**
 * Domains that offer mailboxes to everybody, so many users at one of them mean nothing. Source:
 * the providers' public offers.
 */
const OPEN_TO_ALL: readonly string[] = [
  ..."aol.com att.net bellsouth.net bigpond.com bluewin.ch bol.com.br btinternet.com charter.net".split(
    " ",
  ),
  ..."comcast.net cox.net daum.net docomo.ne.jp earthlink.net email.com ezweb.ne.jp free.fr".split(
    " ",
  ),
  ..."freenet.de gmx.at gmx.ch gmx.com gmx.de gmx.fr gmx.net hanmail.net hey.com hotmail.be".split(
    " ",
  ),
  ..."hotmail.co.uk hotmail.com hotmail.de hotmail.es hotmail.fr hotmail.it hotmail.nl ig.com.br".split(
    " ",
  ),
  ..."inbox.lv inbox.ru interia.pl laposte.net libero.it list.ru live.ca live.co.uk live.com".split(
    " ",
  ),
  ..."live.de live.fr live.it live.nl mail.com mail.de mail.ee mail.ru mailbox.org msn.com".split(
    " ",
  ),
  ..."naver.com neuf.fr o2.pl onet.pl op.pl optonline.net orange.fr outlook.com outlook.de".split(
    " ",
  ),
  ..."outlook.es outlook.fr outlook.it posteo.de posteo.net qq.com".split(" "),
  ..."rambler.ru rediffmail.com sbcglobal.net seznam.cz sfr.fr shaw.ca sina.com sky.com".split(" "),
  ..."skynet.be softbank.ne.jp sympatico.ca t-online.de talktalk.net telenet.be terra.com.br".split(
    " ",
  ),
  ..."tiscali.it tuta.com tutanota.com ukr.net uol.com.br verizon.net virgilio.it virginmedia.com".split(
    " ",
  ),
  ..."wanadoo.fr web.de wp.pl xs4all.nl yeah.net ziggo.nl zoho.com 126.com 139.com 163.com".split(
    " ",
  ),
];

let domains: ReadonlySet<string> | undefined;

/** Returns true if anybody can have a mailbox at a domain in normal form. */
export function isLargeProvider(domain: string): boolean {
  domains ??= new Set([...OPEN_TO_ALL, ...MAIL_PROVIDERS.flatMap((provider) => provider.domains)]);
  return domains.has(domain);
}
