import { domainToASCII } from "node:url";
import emailAddresses from "email-addresses";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isAddrSpec } from "../../src/identifier/addr-spec.js";
import { formOf } from "../../src/identifier/email-form.js";
import { codePoint } from "../../../../tools/test/code-point.js";

/** A parser of RFC 5322 made by others; it allows names, comments and blanks, which we do not. */
function oracle(email: string): boolean {
  const parsed = emailAddresses.parseOneAddress({ input: email, strict: true, rfc6532: true });
  if (parsed?.type !== "mailbox" || parsed.name !== null) return false;
  return parsed.parts.address.tokens === email && parsed.parts.comments.length === 0;
}

/** A host name with at least one dot, by RFC 1123 and with a last label that is not a number. */
function isHost(domain: string): boolean {
  const labels = domainToASCII(domain).split(".");
  const isLabel = (label: string) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label);
  return labels.length > 1 && labels.every(isLabel) && /[a-z]/.test(labels.at(-1) ?? "");
}

/** Addresses by the grammar of RFC 5322, obsolete forms included. */
const addrSpec = ((): fc.Arbitrary<string> => {
  const text = (characters: string): fc.Arbitrary<string> =>
    fc.string({
      unit: fc.constantFrom(...characters.split(""), "\u00fc"),
      minLength: 1,
      maxLength: 5,
    });
  const blank = fc.constantFrom(" ", "\t", "\r\n ", " \r\n\t");
  const pair = fc.constantFrom("\\a", "\\\\", '\\"', "\\\u0000", "\\(");
  const { comment } = fc.letrec<{ comment: string }>((tie) => ({
    comment: fc
      .array(fc.oneof({ maxDepth: 2 }, text("ab-.'"), blank, pair, tie("comment")), {
        maxLength: 3,
      })
      .map((parts) => `(${parts.join("")})`),
  }));
  const blanks = fc.array(fc.oneof(blank, comment), { maxLength: 2 }).map((all) => all.join(""));
  const around = (part: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc
      .tuple(fc.oneof(fc.constant(""), blanks), part, fc.oneof(fc.constant(""), blanks))
      .map((all) => all.join(""));
  const quoted = fc
    .array(fc.oneof(text("ab@.,<>()[]:;"), blank, pair), { maxLength: 3 })
    .map((parts) => `"${parts.join("")}"`);
  const atom = text("abz019!#$%&'*+-/=?^_`{|}~");
  const dotted = (part: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc.array(around(part), { minLength: 1, maxLength: 3 }).map((parts) => parts.join("."));
  const literal = around(
    fc
      .array(fc.oneof(text("ab.:19"), blank, pair), { maxLength: 3 })
      .map((all) => `[${all.join("")}]`),
  );
  return fc
    .tuple(dotted(fc.oneof(atom, quoted)), fc.oneof(dotted(atom), literal))
    .map((parts) => parts.join("@"));
})();

const isPlain = (email: string): boolean => formOf(email) === "plain";

describe("formOf", () => {
  it.each([
    " ann@example.com",
    "ann@example.com ",
    "ann@example.com\r\n ",
    "ann(comment)@example.com",
    "ann@example.com(comment)",
    "(a(b(c)d)e\\))ann@example.com",
    "ann . lee @ example . com",
    "\tann\t@\r\n example.com",
    '"ann".lee@example.com',
    'ann."le e"@example.com',
    '"a\\\u0000b"@x.y',
    '"a\u0001b"@x.y',
    '"a\r\n b"@x.y',
    "ann@[a\\[b]",
    "ann@[192.0.2.1 ]",
    "ann@ (at) [192.0.2.1]",
    `${"a".repeat(65)}@x.y`,
    `a@${"b".repeat(256)}`,
    "user@localhost",
    "a@-b.com",
    "a@b-.com",
    "foo@_bar.com",
    "a@b.1",
    "a@192.0.2.1",
    `a@${"b".repeat(64)}.com`,
    "ann@[192.0.2.1]",
    "ann@[IPv6:2001:db8::1]",
  ])("calls %j unusual, and not malformed", (email) => {
    expect(formOf(email)).toBe("unusual");
  });

  it.each([
    "ann lee@example.com",
    "ann@exam ple.com",
    "ann@example.com\n",
    "ann@example.com\r\n",
    "ann@example.com\r ",
    "ann(comment@example.com",
    "ann)comment(@example.com",
    "ann(a\\)@example.com",
    "ann(\u0000)@example.com",
    "ann@(only a comment)",
    "(only a comment)@example.com",
    "ann..lee@example.com",
    "ann. .lee@example.com",
    "ann@example.com.",
    'ann"lee"@example.com',
    'ann@"example".com',
    "ann@[a]b",
    "ann@[a].com",
    "<ann@example.com>",
    "Ann <ann@example.com>",
    "ann@example.com, lee@example.com",
  ])("calls %j malformed", (email) => {
    expect(formOf(email)).toBe("malformed");
  });

  it("takes every address that the grammar makes", () => {
    fc.assert(
      fc.property(addrSpec, (email) => formOf(email) !== "malformed"),
      { numRuns: 1000 },
    );
  });

  it("takes no address with one character that has no place in it", () => {
    fc.assert(
      fc.property(
        addrSpec,
        fc.constantFrom(..."\n\r\u0000<>,;:\u0085".split("")),
        fc.nat(),
        (email, wrong, at) => {
          const index = at % (email.length + 1);
          // In quotes, brackets and comments most of them do have one.
          fc.pre(!/["()[\]\\]/.test(email));
          expect(formOf(email.slice(0, index) + wrong + email.slice(index))).toBe("malformed");
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("reads hostile texts in a time that grows with their length alone", () => {
    const reads = (text: string): number => {
      let count = 0;
      const counted = new Proxy(Object(text) as object, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name, target);
          if (typeof value !== "function") return (count++, value);
          return (...args: unknown[]) => (count++, Reflect.apply(value as never, text, args));
        },
      });
      isAddrSpec(counted as unknown as string);
      return count;
    };
    const n = 2_000;
    for (const part of ["(", "()", "a.", " ", "\r\n ", '"a".', "(\\)", '"\\"', "@", "[("]) {
      expect(reads(part.repeat(n)), part).toBeLessThan(40 * part.length * n);
    }
  });
});

describe("a plain form", () => {
  it.each([
    "ann@example.com",
    "ann.lee+news@mail.example.co.uk",
    "o'brien@example.com",
    "a/b@x.y",
    "!#$%&'*+-/=?^_`{|}~@example.com",
    '"a b"@x.y',
    '"a@b"@x.y',
    '"a\\"b"@x.y',
    '""@x.y',
    "\u00fcml\u00e4ut@b\u00fccher.example",
    "\u7528\u6237@\u4f8b\u5b50.\u6d4b\u8bd5",
    "\u{1f600}@x.y",
    `${"a".repeat(64)}@x.y`,
  ])("accepts %s", (email) => {
    expect(isPlain(email)).toBe(true);
  });

  it.each([
    "",
    "@",
    "ann",
    "ann@",
    "@example.com",
    "ann@@example.com",
    "a@b@c.d",
    ".ann@example.com",
    "ann.@example.com",
    "an..n@example.com",
    "ann@.example.com",
    "ann@example.com.",
    "ann@exam..ple.com",
    "ann lee@example.com",
    "ann@exam ple.com",
    " ann@example.com",
    "ann@example.com ",
    "ann@example.com\n",
    "Ann <ann@example.com>",
    "<ann@example.com>",
    "ann(comment)@example.com",
    "ann@example.com(comment)",
    '"ann@example.com',
    '"ann"lee@example.com',
    '"ann".lee@example.com',
    '"ann\\"@example.com',
    '"a\u0000b"@x.y',
    "a\u0085b@x.y",
    "ann@[192.0.2.1",
    "ann@192.0.2.1]",
    "ann@[a\\b]",
    "ann@[a[b]",
    "ann,lee@example.com",
    "ann;lee@example.com",
    "ann:lee@example.com",
    `${"a".repeat(65)}@x.y`,
    `${"\u00fc".repeat(33)}@x.y`,
    `a@${"b".repeat(256)}`,
  ])("refuses %j", (email) => {
    expect(isPlain(email)).toBe(false);
  });

  it("never throws and answers a boolean for any text", () => {
    const texts = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.string({ unit: fc.constantFrom('"', "\\", "@", ".", "[", "]", "a", " ", "\t") }),
    );
    fc.assert(
      fc.property(texts, (text) => typeof isPlain(text) === "boolean"),
      { numRuns: 1000 },
    );
  });

  it("agrees with another parser on short texts of every special character", () => {
    const unit = fc.constantFrom(..."ab1@@..\"\\[]()<>,;:!#'+-/_`{|}~ ".split(""), "\u00fc");
    const part = fc.string({ unit, minLength: 1, maxLength: 6 });
    const email = fc.oneof(
      fc.tuple(part, part).map(([local, domain]) => `${local}@${domain}`),
      fc.tuple(part, part).map(([local, domain]) => `"${local}"@${domain}`),
      fc.tuple(part, part).map(([local, domain]) => `${local}@[${domain}]`),
      fc.emailAddress(),
    );
    fc.assert(
      fc.property(
        // The other parser takes comments and blanks around the parts; we call them malformed.
        email.filter((text) => !/[()]/.test(text) && !/\[.* .*\]$/.test(text)),
        (text) => {
          const expected = oracle(text) && isHost(text.slice(text.lastIndexOf("@") + 1));
          fc.pre(Buffer.byteLength(text.slice(0, text.lastIndexOf("@"))) <= 64);
          expect([text, isPlain(text)]).toEqual([text, expected]);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
