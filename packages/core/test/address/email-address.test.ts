import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { domainOf, emailProblem, foldEmail } from "../../src/address/email-address.js";
import { codePoint } from "../../../../tools/test/code-point.js";

describe("emailProblem", () => {
  it.each([
    "a@x.y",
    "a/b@x.y",
    '"a b"@x.y',
    "\u00e9@x.y",
    "no-at-sign",
    "a@x.y\r\nBcc: b@x.y",
    "...",
    `${"a".repeat(316)}@x.y`,
    `${"\u00e9".repeat(158)}@x.y`,
  ])("lets %j through to the service", (email) => {
    expect(emailProblem(email)).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ["empty text", ""],
    ["blanks", " \t\u00a0"],
    ["one dot", "."],
    ["two dots", ".."],
    ["321 bytes", `${"a".repeat(317)}@x.y`],
    ["321 bytes in fewer characters", `a${"\u00e9".repeat(158)}@x.y`],
    ["a lone surrogate", "a\ud800@x.y"],
    ["null", null],
    ["a number", 5],
    ["a list", ["a@x.y"]],
    ["an object with toString", { toString: () => "a@x.y" }],
    ["a symbol", Symbol("a@x.y")],
  ])("CLI-08 to CLI-12 refuses %s without quoting it", (_, value) => {
    const problem = emailProblem(value);
    expect(problem).toMatch(/^expected /);
    expect(problem).not.toContain("a@x.y");
  });

  it("lets through only what can be one path segment", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: codePoint, maxLength: 20 }), fc.anything({ maxDepth: 1 })),
        (value) => {
          if (emailProblem(value) !== undefined) return;
          const { pathname } = new URL(
            `https://h/v1/emails/${encodeURIComponent(value as string)}`,
          );
          expect(decodeURIComponent(pathname)).toBe(`/v1/emails/${value as string}`);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe("foldEmail", () => {
  it.each([
    ["a@X.Y", "a@x.y"],
    ["A@X.Y", "A@x.y"],
    ["a@b@X.Y", "a@b@x.y"],
    ["NoAt", "NoAt"],
    ["a@\u00c9.FR", "a@\u00c9.fr"],
    ["a@\u212a.x", "a@\u212a.x"],
    ["a@x.y", "a@x.y"],
  ])("CAC-11 folds %j to %j: ASCII letters of the domain only", (email, folded) => {
    expect(foldEmail(email)).toBe(folded);
  });

  it("is idempotent and keeps the local part", () => {
    fc.assert(
      fc.property(fc.tuple(fc.string(), fc.domain()), ([local, domain]) => {
        const folded = foldEmail(`${local}@${domain.toUpperCase()}`);
        expect(folded).toBe(`${local}@${domain.toLowerCase()}`);
        expect(foldEmail(folded)).toBe(folded);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("domainOf", () => {
  it.each([
    ["a@x.y", "x.y"],
    ['"a@b"@x.y', "x.y"],
    ["a@", ""],
    ["@x.y", "x.y"],
    ["none", ""],
    ["", ""],
  ])("finds the domain of %j", (email, domain) => {
    expect(domainOf(email)).toBe(domain);
  });
});
