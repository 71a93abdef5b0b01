import * as fc from "fast-check";
import mailchecker from "mailchecker";
import { describe, expect, it } from "vitest";
import {
  createDisposableDomains,
  type DisposableSettings,
} from "../../src/feeds/disposable-domains.js";
import { Feed } from "../../src/feeds/feed.js";
import { hostsIn, normalizeDomain } from "@riskgate/core/address";
import { isForwardingDomain } from "@riskgate/core/internal";
import { PERMANENT_MAILBOXES } from "../../src/feeds/permanent-mailboxes.js";

const label = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 2 });
const domain = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join("."));

/** The name and the domains above it, the longest first, as far as they have a dot. */
const namesOf = (name: string): string[] => {
  const labels = name.split(".");
  return labels.slice(0, -1).map((_, from) => labels.slice(from).join("."));
};

/** One or more domains of each service. */
const FORWARDING =
  "privaterelay.appleid.com duck.com mozmail.com relay.firefox.com simplelogin.com simplelogin.co slmail.me aleeas.com passmail.net passinbox.com anonaddy.com anonaddy.me addy.io 4wrd.cc 33mail.com erine.email forwardemail.net manyme.com opayq.com".split(
    " ",
  );

const feed = (...lines: string[]) => new Feed({ kind: "disposable", name: "own" }, lines);

describe("createDisposableDomains", () => {
  it.each([
    ["mailinator.com", "mailchecker"],
    ["a.b.mailinator.com", "mailchecker"],
    ["MAILINATOR.COM", "mailchecker"],
    ["mailinator.com.", "mailchecker"],
    ["\uff4dailinator.com", "mailchecker"],
    ["notmailinator.example", undefined],
    ["mailinator.com.example", undefined],
    ["example.com", undefined],
    ["com", undefined],
    ["", undefined],
    ["[192.0.2.1]", undefined],
    ["[mailinator.com]", "mailchecker"],
    ["mailinator.com (home)", "mailchecker"],
    ["mailinator.com, ann@example.com", "mailchecker"],
    ["example.com, ann@mailinator.com", "mailchecker"],
    ["duck.com, ann@mailinator.com", "mailchecker"],
    ["__proto__", undefined],
  ])("finds %j on the list %s", async (domain, list) => {
    const domains = await createDisposableDomains([]);
    expect(domains.listOf(hostsIn(`ann@${domain}`))).toBe(list);
  });

  it.each(
    "gmail.com googlemail.com outlook.com hotmail.com live.com yahoo.com yahoo.co.jp ymail.com aol.com proton.me protonmail.com pm.me icloud.com me.com gmx.de gmx.net gmx.com web.de t-online.de freenet.de posteo.de mailbox.org tutanota.com tuta.com keemail.me qq.com 163.com 126.com naver.com daum.net fastmail.com fastmail.fm zoho.com hey.com yandex.ru mail.ru seznam.cz wp.pl o2.pl libero.it orange.fr free.fr laposte.net comcast.net att.net verizon.net uol.com.br bigpond.com docomo.ne.jp rediffmail.com mail.com consultant.com hush.com hushmail.com bluewin.ch abv.bg riseup.net sdf.org tom.com nus.edu.sg privaterelay.appleid.com users.noreply.github.com".split(
      " ",
    ),
  )("does not call %s disposable", async (domain) => {
    const domains = await createDisposableDomains([]);
    expect(domains.listOf(hostsIn(`ann@${domain}`))).toBeUndefined();
  });

  it("treats forwarding services alike, whatever the lists say", async () => {
    const names = FORWARDING.flatMap((name) => [name, `eve.${name}`, name.toUpperCase()]);
    const listed = [feed("duck.com", "eve.anonaddy.com", "privaterelay.appleid.com")];
    const listsOf = async (settings: DisposableSettings) => {
      const domains = await createDisposableDomains(listed, settings);
      return new Set(names.map((name) => domains.listOf(hostsIn(`postmaster+tag@${name}`))));
    };
    expect(await listsOf({})).toEqual(new Set([undefined]));
    expect(await listsOf({ forwarding: "allow" })).toEqual(new Set([undefined]));
    expect(await listsOf({ forwarding: "disposable" })).toEqual(new Set(["forwarding services"]));
    const allowed = new Set(["duck.com"]);
    const domains = await createDisposableDomains(listed, { allowed, forwarding: "disposable" });
    expect(domains.listOf(hostsIn("ann@duck.com"))).toBeUndefined();
    expect(domains.listOf(hostsIn("ann@appleid.com"))).toBeUndefined();
    expect(domains.listOf(hostsIn("ann@notduck.com"))).toBeUndefined();
  });

  it("has no exception that the shipped list does not need", async () => {
    const { default: mailchecker } = await import("mailchecker");
    const needless = [...PERMANENT_MAILBOXES].filter((name) => !mailchecker.blacklist().has(name));
    expect(needless).toEqual([]);
  });

  it("adds the domains of a feed, in any spelling", async () => {
    const lines = ["One.example", "*.two.example", ".three.example", "@four.example"];
    const domains = await createDisposableDomains([feed(...lines)]);
    for (const name of ["one", "a.two", "three", "b.c.four"]) {
      expect(domains.listOf(hostsIn(`ann@${name}.example`))).toBe("own");
    }
  });

  it("lets a feed win over the shipped exceptions", async () => {
    const domains = await createDisposableDomains([feed("hush.com")]);
    expect(domains.listOf(hostsIn("ann@hush.com"))).toBe("own");
  });

  it("lets an allowed domain and what is below it win over every list", async () => {
    const allowed = new Set(["mailinator.com", "one.example"]);
    const domains = await createDisposableDomains([feed("sub.one.example")], { allowed });
    expect(domains.listOf(hostsIn("ann@mailinator.com"))).toBeUndefined();
    expect(domains.listOf(hostsIn("ann@x.mailinator.com"))).toBeUndefined();
    expect(domains.listOf(hostsIn("ann@sub.one.example"))).toBeUndefined();
  });

  it("finds a listed name below a shipped exception", async () => {
    const { default: mailchecker } = await import("mailchecker");
    const below = [...mailchecker.blacklist()].find((name) => name.endsWith(".hush.com"));
    const domains = await createDisposableDomains([]);
    if (below !== undefined) expect(domains.listOf(hostsIn(`ann@${below}`))).toBe("mailchecker");
    expect(domains.listOf(hostsIn("ann@other.hush.com"))).toBeUndefined();
  });

  it("agrees with a search through all lists, whatever they hold", async () => {
    const list = fc.array(domain, { maxLength: 20 });
    const asked = fc.array(domain, { maxLength: 50 });
    await fc.assert(
      fc.asyncProperty(list, list, list, list, asked, async (one, two, allowed, brought, names) => {
        const feeds = [one, two].map(
          (lines, index) => new Feed({ kind: "disposable", name: `feed ${index}` }, lines),
        );
        const domains = await createDisposableDomains(
          feeds,
          { allowed: new Set(allowed) },
          new Set(brought),
        );
        for (const name of [...names, ...one, ...two, ...allowed, ...brought]) {
          const all = namesOf(name);
          const fed = all.find((each) => one.includes(each) || two.includes(each));
          const expected = () => {
            if (all.some((each) => allowed.includes(each))) return undefined;
            if (fed !== undefined) return two.includes(fed) ? "feed 1" : "feed 0";
            return all.some((each) => brought.includes(each)) ? "mailchecker" : undefined;
          };
          expect(domains.listOf(hostsIn(`ann@${name}`))).toBe(expected());
        }
      }),
      { numRuns: 500 },
    );
  });

  it("tells apart the names of a long list and others that are nearly the same", async () => {
    const listed = mailchecker.blacklist();
    const domains = await createDisposableDomains([], {}, new Set(listed));
    const wrong: string[] = [];
    for (const text of listed) {
      if (PERMANENT_MAILBOXES.has(text) || isForwardingDomain(text)) continue;
      if (domains.listOf(hostsIn(`ann@${text}`)) === undefined) wrong.push(text);
      for (const other of [`x${text}`, text.slice(1), `${text}x`, text.replace(/[aeiou]/, "0")]) {
        const name = namesOf(other).find((each) => listed.has(each));
        const isDisposable =
          name !== undefined && !PERMANENT_MAILBOXES.has(name) && !isForwardingDomain(other);
        const isDomain = normalizeDomain(other) === other;
        if (
          (domains.listOf(hostsIn(`ann@${other}`)) !== undefined) !==
          (isDisposable && isDomain)
        ) {
          wrong.push(other);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});
