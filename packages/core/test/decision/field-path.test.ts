import { createRequire } from "node:module";
import { parse as parseQuery } from "node:querystring";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isReadings, readAnyBody, valueAt } from "../../src/decision/body-readings.js";

const BAD = "evil@mailinator.com";
const GOOD = "ann@fine-corp.io";
const FORM_TYPE = "application/x-www-form-urlencoded";
const ABSENT = { state: "skipped", why: "absent" };
const UNUSABLE = { state: "skipped", why: "unusable" };

interface QsOptions {
  readonly allowDots?: boolean;
  readonly depth?: number;
}
type Parse = (text: string) => unknown;

const require = createRequire(import.meta.url);
const qs = require("qs") as {
  parse(text: string, options?: QsOptions): unknown;
};

/** Returns all emails that are judged; the value of one that is not a text. */
function judged(body: string, path: string, type = FORM_TYPE): readonly unknown[] {
  const readings = readAnyBody(body, { headers: { "content-type": type } });
  if (!isReadings(readings)) throw new Error("the body was not read");
  const { fact, several } = readings.emailAt(path.split("."));
  return several?.emails ?? [fact];
}

/** Returns true if the bad email is judged or the body is refused. */
const isFound = (emails: readonly unknown[]): boolean =>
  emails.some((email) => String(email).includes(BAD) || isUnusable(email));
const isUnusable = (email: unknown): boolean => JSON.stringify(email) === JSON.stringify(UNUSABLE);

/** Returns true if a parser stores the bad email at the path or below it. */
function isStored(parse: Parse, body: string, path: string): boolean {
  try {
    return JSON.stringify(valueAt(parse(body), path.split(".")) ?? "").includes(BAD);
  } catch {
    return false;
  }
}

const PATHS = ["email", "user.email", "users.0.email", "constructor.email"];

const noise = fc
  .array(
    fc.constantFrom(
      "[",
      "]",
      ".",
      "x",
      " ",
      ";",
      "=",
      "&",
      "%5B",
      "%5d",
      "%3D",
      "%2E",
      "%252E",
      "%00",
      "[]",
      "[x]",
      "email",
      "[email]",
      "user",
      "%zz",
      "%FF",
      "+",
      "__proto__",
    ),
    { maxLength: 3 },
  )
  .map((pieces) => pieces.join(""));

/** Names in which the members of a path are written in every way, with other text around them. */
function namesAt(path: string): fc.Arbitrary<string> {
  const members = path.split(".").map((member) => {
    const written = [member, `[${member}]`, `.${member}`, `%5B${member}%5d`];
    const entries = member === "0" ? ["[]", "[7]"] : [];
    return fc.tuple(fc.constantFrom(...written, ...entries), fc.oneof(fc.constant(""), noise));
  });
  return fc
    .tuple(fc.oneof(fc.constant(""), noise), ...members)
    .map((pieces) => pieces.flat().join(""));
}

const options = fc.record(
  {
    allowDots: fc.boolean(),
    decodeDotInKeys: fc.boolean(),
    allowPrototypes: fc.boolean(),
    allowSparse: fc.boolean(),
    comma: fc.boolean(),
    depth: fc.constantFrom(0, 1, 2, 5),
    duplicates: fc.constantFrom("combine", "first", "last"),
    arrayLimit: fc.constantFrom(0, 1, 20),
    parseArrays: fc.boolean(),
    plainObjects: fc.boolean(),
    strictNullHandling: fc.boolean(),
    charset: fc.constantFrom("utf-8", "iso-8859-1"),
  },
  { requiredKeys: [] },
);

const EMAIL_NAMES =
  "email|[email]|[email]x|[email];|[email]%20|[email] |[email]%00x|[email]x]y|%5Bemail%5Dx|.email|.email]x| email|email |email%00x";
const USER_NAMES =
  "user[email]|user.email|[user][email]|.user.email|[user]x[email]y|user[email]x|[user]x.email|[user].x[email]|[user]..email|user[email] ";
const LIST_NAMES = "email[]|email[0]|email.x|email[x]|[email][x]|email[|email.|[email]x=1]";
const ENTRY_NAMES = "users[0][email]|users[][email]|users[7][email]|users.3.email";
const OTHER_NAMES =
  "emails|email_x|my-email|x[email]|contact.email|e[mail]|[x]email|Email|email x|x=[email]";

describe("the name of a field", () => {
  it.each(EMAIL_NAMES.split("|"))("%j is read as the email", (given) => {
    expect(judged(`${given}=${BAD}`, "email")).toEqual([BAD]);
  });

  it.each(USER_NAMES.split("|"))("%j is read as the email of the user", (given) => {
    expect(judged(`${given}=${BAD}`, "user.email")).toEqual([BAD]);
  });

  it.each(LIST_NAMES.split("|"))("%j is read as a list, which is refused", (given) => {
    expect(judged(`${given}=${BAD}`, "email")).toEqual([UNUSABLE]);
  });

  it.each(ENTRY_NAMES.split("|"))("%j is read as an entry of a list", (given) => {
    expect(judged(`${given}=${BAD}`, "users.0.email")).toEqual([BAD]);
  });

  it.each(OTHER_NAMES.split("|"))("%j is not read as the email", (given) => {
    expect(judged(`${given}=${BAD}`, "email")).toEqual([ABSENT]);
  });
});

describe("the name of any field", () => {
  it.each(PATHS)("is read as %s if qs does, with any options", (path) => {
    let count = 0;
    const check = (given: string, chosen: object): void => {
      const form = `${given}=${BAD}`;
      const json = `{"email":"${GOOD}","user":{"email":"${GOOD}"},"x":"&${form}&"}`;
      const parse: Parse = (text) => qs.parse(text, chosen);
      for (const [body, type] of [
        [form, FORM_TYPE],
        [`a=1&${form}`, "text/plain"],
        [json, "application/json"],
      ] as const) {
        if (!isStored(parse, body, path)) continue;
        count++;
        expect([body, judged(body, path, type)]).toSatisfy(([, emails]) => isFound(emails));
      }
    };
    fc.assert(fc.property(namesAt(path), options, check), { numRuns: 5_000, seed: 31 });
    // With fewer, the names would not be those that qs reads.
    expect(count).toBeGreaterThan(500);
  });

  it.each<[string, Parse]>([
    ["URLSearchParams", (text) => Object.fromEntries(new URLSearchParams(text))],
    ["querystring", (text) => parseQuery(text)],
  ])("is read as the email if %s does", (_, parse) => {
    const check = (given: string): void => {
      const form = `${given}=${BAD}`;
      if (isStored(parse, form, "email")) expect(judged(form, "email")).toSatisfy(isFound);
    };
    fc.assert(fc.property(namesAt("email"), check), { numRuns: 5_000, seed: 31 });
  });

  it("is read in a multipart form if qs does so behind formData()", async () => {
    const type = "multipart/form-data; boundary=x";
    const check = async (given: string): Promise<void> => {
      const head = `Content-Disposition: form-data; name="${decodeName(given)}"`;
      const body = `--x\r\n${head}\r\n\r\n${BAD}\r\n--x--\r\n`;
      const form = await new Response(body, { headers: { "content-type": type } }).formData();
      const text = String(new URLSearchParams([...form] as [string, string][]));
      for (const chosen of [{}, { allowDots: true }, { depth: 0 }]) {
        const parse: Parse = (sent) => qs.parse(sent, chosen);
        if (isStored(parse, text, "email")) expect(judged(body, "email", type)).toSatisfy(isFound);
      }
    };
    await fc.assert(fc.asyncProperty(namesAt("email"), check), { numRuns: 2_000, seed: 31 });
  });
});

/** Names of multipart forms are not encoded. */
function decodeName(given: string): string {
  return new URLSearchParams(`n=${given.replaceAll("&", "%26")}`).get("n")!.replaceAll("\0", "");
}
