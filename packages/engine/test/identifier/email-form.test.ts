import emailAddresses from "email-addresses";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWellFormedEmail } from "../../src/identifier/email-form.js";
import { codePoint } from "../../../../tools/test/code-point.js";

/** A parser of RFC 5322 made by others; it allows names, comments and blanks, which we do not. */
function oracle(email: string): boolean {
  const parsed = emailAddresses.parseOneAddress({ input: email, strict: true, rfc6532: true });
  if (parsed?.type !== "mailbox" || parsed.name !== null) return false;
  return parsed.parts.address.tokens === email && parsed.parts.comments.length === 0;
}

describe("isWellFormedEmail", () => {
  it.each([
    "a@b",
    "ann@example.com",
    "ann.lee+news@mail.example.co.uk",
    "o'brien@example.com",
    "a/b@x.y",
    "!#$%&'*+-/=?^_`{|}~@example.com",
    '"a b"@x.y',
    '"a@b"@x.y',
    '"a\\"b"@x.y',
    '""@x.y',
    "ann@[192.0.2.1]",
    "ann@[IPv6:2001:db8::1]",
    "\u00fcml\u00e4ut@b\u00fccher.example",
    "\u7528\u6237@\u4f8b\u5b50.\u6d4b\u8bd5",
    "\u{1f600}@x.y",
    `${"a".repeat(64)}@x.y`,
    `a@${"b".repeat(255)}`,
  ])("accepts %s", (email) => {
    expect(isWellFormedEmail(email)).toBe(true);
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
    expect(isWellFormedEmail(email)).toBe(false);
  });

  it("never throws and answers a boolean for any text", () => {
    const texts = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.string({ unit: fc.constantFrom('"', "\\", "@", ".", "[", "]", "a", " ", "\t") }),
    );
    fc.assert(
      fc.property(texts, (text) => typeof isWellFormedEmail(text) === "boolean"),
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
          const expected = oracle(text);
          fc.pre(Buffer.byteLength(text.slice(0, text.lastIndexOf("@"))) <= 64);
          expect([text, isWellFormedEmail(text)]).toEqual([text, expected]);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
