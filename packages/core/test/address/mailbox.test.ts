import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAIL_PROVIDERS } from "../../src/address/mail-providers.js";
import {
  exactMailbox,
  hostsIn,
  isOverlong,
  mailboxesIn,
  mailboxOf,
} from "../../src/address/mailbox.js";

/** Full-width form of printable ASCII. */
const wide = (text: string): string =>
  text.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0));

describe("mailboxOf", () => {
  it.each([
    ["another case", "EVE@X.COM"],
    ["a dot behind the domain", "eve@x.com."],
    ["several dots behind the domain", "eve@x.com.."],
    ["blanks around it", " \t eve@x.com\u00a0"],
    ["a line break", "eve@x.com\r\n"],
    ["a blank inside", "eve @ x.com"],
    ["full-width letters", wide("eve@x.com")],
    ["full-width letters in capitals", wide("EVE@X.COM")],
    ["an ideographic dot", "eve@x\u3002com"],
    ["a half-width ideographic dot", "eve@x\uff61com"],
    ["a full-width dot", "eve@x\uff0ecom"],
    ["a character that is not seen", "e\u200bve@x\u00ad.com\u2060"],
    ["a mark of direction", "\u202aeve@x.com\u202c"],
    ["a control", "eve\u0000@x.com\u0007"],
    ["the Kelvin sign for a letter", "eve@x.com".replace("e", "\uff25")],
    ["quotes", '"eve"@x.com'],
    ["quotes with an escape", '"e\\ve"@x.com'],
    ["a comment", "eve(home)@(here)x.com"],
    ["comments in a comment", "eve(a(b(c)))@x.com"],
    ["a comment with an escape", "eve(\\))@x.com"],
    ["angle brackets", "<eve@x.com>"],
    ["a name", "Eve Example <eve@x.com>"],
    ["a quoted name", '"Example, Eve" <eve@x.com>'],
    ["a route", "<@relay.example:eve@x.com>"],
    ["a comma behind it", "eve@x.com,"],
    ["a sub-address", "eve+1@x.com"],
    ["two sub-addresses", "eve+a+b@x.com"],
    ["a sub-address in quotes", '"eve+1"@x.com'],
  ])("knows eve@x.com with %s", (_, text) => {
    expect(mailboxOf(text)).toBe("eve@x.com");
    expect(mailboxesIn(text)).toEqual(["eve@x.com"]);
  });

  it.each([
    ["b\u00fccher.example", "xn--bcher-kva.example"],
    ["B\u00dcCHER.example", "xn--bcher-kva.example"],
    ["bu\u0308cher.example", "xn--bcher-kva.example"],
    ["XN--BCHER-KVA.example.", "xn--bcher-kva.example"],
    ["localhost", "localhost"],
    ["[192.0.2.1]", "[192.0.2.1]"],
    ["192.0.2.1", "[192.0.2.1]"],
    ["[IPv6:2001:db8::1]", "[ipv6:2001:db8::1]"],
    ["[ 2001:DB8:0:0::1 ]", "[ipv6:2001:db8::1]"],
  ])("writes the domain %s as %s", (domain, written) => {
    expect(mailboxOf(`eve@${domain}`)).toBe(`eve@${written}`);
  });

  it.each([
    ["e.v.e@gmail.com", "eve@gmail.com"],
    ["E.V.E+x@googlemail.com", "eve@gmail.com"],
    ["e_v-e@protonmail.com", "eve@proton.me"],
    ["eve+x@pm.me", "eve@proton.me"],
    ["eve+x@me.com", "eve@icloud.com"],
    ["e-ve@ya.ru", "e.ve@yandex.ru"],
    ["eve-shop@yahoo.co.uk", "eve@yahoo.co.uk"],
    ["shop@eve.fastmail.com", "eve@fastmail.com"],
    ["eve+shop@fastmail.com", "eve@fastmail.com"],
    ["e.ve@outlook.com", "e.ve@outlook.com"],
    ["e-ve@x.com", "e-ve@x.com"],
    ["+1@x.com", "+1@x.com"],
    ["...@gmail.com", "...@gmail.com"],
    ["eve@x.y.com", "eve@x.y.com"],
  ])("follows the provider of %s", (text, mailbox) => {
    expect(mailboxOf(text)).toBe(mailbox);
  });

  it.each(["eve+1@x.com", "e.ve@gmail.com", "eve@googlemail.com", "shop@eve.fastmail.com"])(
    "leaves %s alone without the rules of providers",
    (text) => {
      expect(mailboxOf(text.toUpperCase(), false)).toBe(text);
    },
  );

  it.each([
    "<victim@x.com>@evil.example",
    "victim@x.com a@evil.example",
    "victim@x.com,a@evil.example",
    "a(victim@x.com)@evil.example",
    "victim@x.com\na@evil.example",
    "victim@[x.com]",
  ])("takes %j for nobody's mailbox, and finds each that it may name", (text) => {
    expect(mailboxOf(text)).toBe(text.trim());
    expect(mailboxesIn(text)).toContain("victim@x.com");
    expect(mailboxesIn(text)[0]).toBe(text.trim());
  });

  it.each(["carol", "Carol", "7", "@", "eve@", "@x.com", ""])(
    "returns %j, which is not a mailbox, without outer blanks",
    (text) => {
      expect(mailboxOf(` ${text}\n`)).toBe(text);
    },
  );

  it("keeps a local part that needs its quotes apart from others", () => {
    expect(mailboxOf('"E v e"@x.com')).toBe('"e v e"@x.com');
    expect(mailboxOf('"a@b"@x.com')).toBe('"a@b"@x.com');
    expect(mailboxOf('"a\\"b"@x.com')).toBe('"a\\"b"@x.com');
  });

  it("gives every spelling of a mailbox one form, which is its own form", () => {
    const name = fc.stringMatching(/^[a-z0-9]{1,8}$/);
    const domain = fc.oneof(
      fc.domain().map((text) => text.toLowerCase()),
      fc.constantFrom(...MAIL_PROVIDERS.flatMap(({ domains }) => domains)),
      fc.constantFrom("b\u00fccher.example", "\u03b1\u03b2.example"),
    );
    const change = fc.constantFrom<(email: string) => string>(
      (email) => email.toUpperCase(),
      (email) => ` ${email}\n`,
      (email) => `${email}.`,
      (email) => `<${email}>`,
      (email) => `Someone <${email}>`,
      (email) => email.replace("@", "(a comment)@"),
      (email) => email.replace("@", " @ "),
      (email) => email.replace("@", "+tag@"),
      (email) => email.replaceAll(".", "\u3002"),
      (email) => email.replace(/[a-z]+/g, wide),
      (email) => email.replace(/^[^@"\s]+/, '"$&"'),
      (email) => email.split("").join("\u200b"),
    );
    fc.assert(
      fc.property(name, domain, fc.array(change, { maxLength: 3 }), (local, place, changes) => {
        const plain = `${local}@${place}`;
        let text = plain;
        // What ends at a bracket cannot be changed at its end.
        for (const one of changes) if (!/[<>"(]/.test(text)) text = one(text);
        expect([text, mailboxOf(text)]).toEqual([text, mailboxOf(plain)]);
        expect(mailboxesIn(text)).toContain(mailboxOf(plain));
      }),
      { numRuns: 2000 },
    );
  });

  it("is stable, and one of the mailboxes of a text, for any text whatever", () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom(...'aB@.,<>()"\\[]:; +-\u00e9\uff20\u3002\u0130\u1e9e\ufb01'.split("")),
        fc.string({ unit: "grapheme", maxLength: 1 }),
      ),
      maxLength: 30,
    });
    fc.assert(
      fc.property(text, fc.boolean(), (any, rules) => {
        const mailbox = mailboxOf(any, rules);
        expect(mailboxOf(mailbox, rules)).toBe(mailbox);
        expect(mailboxesIn(any, rules)[0]).toBe(mailbox);
      }),
      { numRuns: 5000 },
    );
  });

  it("finds no mailbox in a text of more than 1,024 characters", () => {
    const padded = (length: number): string => `${" ".repeat(2_000)}eve@x.com`.padEnd(length, ".");
    expect(mailboxesIn(padded(3_024))).toEqual(["eve@x.com"]);
    expect(isOverlong(padded(3_024))).toBe(false);
    expect(isOverlong(padded(3_025))).toBe(true);
    const long = `${"(".repeat(1_024)}eve@x.com`;
    expect(mailboxesIn(long)).toEqual([long]);
  });

  const COSTLY: readonly (readonly [name: string, text: string])[] = [
    ["dots behind the domain", `x@y.com${".".repeat(1_000_000)}a`],
    ["marks to be put in order", `a${"\u0300".repeat(500_000)}${"\u0323".repeat(500_000)}@x.com`],
    ["labels", `x@${"a.".repeat(500_000)}com`],
    ...["(", "[", '"', '\\"', "<a@b.c>", "a@", " "].map(
      (part) => [part, `${part.repeat(65_536)}eve@x.com`] as const,
    ),
  ];

  it.each(COSTLY)("takes no time for a text of many %s", (_, text) => {
    // Minutes for anything that reads a part of it again and again.
    expect(mailboxesIn(text)).toEqual([text.trim()]);
  });
});

describe("hostsIn", () => {
  it.each<[string, readonly string[]]>([
    ["ann@example.com", ["example.com"]],
    ["Ann@Example.COM.", ["example.com"]],
    [`ann@example.com${" ".repeat(2_000)}`, ["example.com"]],
    ["ann@b\u00fccher.example", ["xn--bcher-kva.example"]],
    ['"a@b"@example.com', ["example.com"]],
    ["Ann <ann@example.com>", ["example.com"]],
    ["a@x.com, b@y.example", ["y.example", "x.com"]],
    ["a@x.com, b@x.com", ["x.com"]],
    ["a@[192.0.2.1]", ["[192.0.2.1]"]],
    ["a@[::ffff:192.0.2.1]", ["[192.0.2.1]"]],
    ["a@[IPv6:2001:DB8::1]", ["[ipv6:2001:db8::1]"]],
    ["a@[Example.com]", ["example.com"]],
    ["@example.com", ["example.com"]],
    ["a@", []],
    ["a@com", []],
    ["a@a.b_c", []],
    ["a@1.2.3", []],
    ["a@[1.2.3.4.5]", []],
    ["example.com", []],
    ["", []],
  ])("finds the hosts of %j", (email, hosts) => {
    expect([...hostsIn(email)].toSorted()).toEqual(hosts.toSorted());
  });
});

describe("exactMailbox", () => {
  it.each([
    ["Ann@Example.COM", "Ann@example.com"],
    ["ann+tag@x.com", "ann+tag@x.com"],
    ["o'brien@x.com", "o'brien@x.com"],
    ["ann@B\u00fccher.example", "ann@xn--bcher-kva.example"],
    ["\u00e4nn@x.com", "\u00e4nn@x.com"],
  ])("takes %s and folds its domain only", (text, mailbox) => {
    expect(exactMailbox(text)).toBe(mailbox);
  });

  it.each([
    "<attacker@evil.test>@company.com",
    "attacker@evil.test x@company.com",
    "attacker@evil.test,x@company.com",
    "attacker@evil.test\n@company.com",
    "attacker\uff20evil.test@company.com",
    '"attacker@evil.test"@company.com',
    "attacker(x)@company.com",
    "x@company.com.",
    " x@company.com",
    "x@company.com ",
    "x@company.com\n",
    "x@company\u3002com",
    "x@\uff43ompany.com",
    "x@comp\u00adany.com",
    "x@[192.0.2.1]",
    "x@company.com/\u00fc",
    "a..b@company.com",
    ".a@company.com",
    "x@localhost",
    `${"x".repeat(65)}@company.com`,
    "x@",
    "@company.com",
    "",
  ])("takes %j for none", (text) => {
    expect(exactMailbox(text)).toBeUndefined();
  });
});
