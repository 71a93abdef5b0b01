import { describe, expect, it } from "vitest";
import { isReadings, readAnyBody } from "../../src/decision/body-readings.js";

const GOOD = "ann@fine-corp.io";
const BAD = "evil@mailinator.com";
const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";
const PART = 'Content-Disposition: form-data; name="email"\r\n\r\n';

/** Returns the reading of the email in a body. */
function read(body: string | Uint8Array, type = JSON_TYPE) {
  const readings = readAnyBody(body, { headers: { "content-type": type } });
  if (!isReadings(readings)) throw new Error("the body was not read");
  return readings.emailAt(["email"]);
}

/** Returns all emails that are judged; the value of one that is not a text. */
function judged(body: string | Uint8Array, type?: string): readonly unknown[] {
  const { fact, several } = read(body, type);
  return several?.emails ?? [fact];
}

describe("the time to read a body", () => {
  // A reader that looks back from each character takes minutes for a body of this length.
  const LENGTH = 2 ** 18;
  const BOUND_MS = 2_000;
  const PIECES = [
    "@",
    " ",
    "=",
    "&",
    "-",
    "\n",
    "\r",
    '"',
    "'",
    "\\",
    "%",
    ";",
    "[",
    "x",
    "--",
    "\n--",
    "\n--x",
    "\r\n\r\n",
    "name=",
    "name*=",
    "name ",
    "name='",
    'name="',
    "name=x'",
    "email=@ ",
    "&email=",
    "&email=@",
    "&email=@ x",
    "email[",
    "content-disposition",
    `\r\n--x\r\n${PART}`,
    `\r\n--x\r\ncontent-disposition: name=`,
    "base64 ",
    "charset=",
  ];
  const FRAMES: readonly [title: string, before: string, after: string][] = [
    ["alone", "", ""],
    ["in a form", "email=", ""],
    ["in an email of a form in JSON", '{"email":"a@b.io","a":"&email=', ' x&"}'],
    ["in the head of a part", "--x\r\nContent-Disposition: form-data; ", `\r\n${PART}a@b.io`],
    ["in a part", `--x\r\n${PART}`, "\r\n--x--"],
    ["in a boundary", "--", `\r\n${PART}a@b.io`],
  ];
  const types = [JSON_TYPE, FORM_TYPE, "multipart/form-data; boundary=x"];

  it.each(FRAMES)("is bounded for repeated text %s", { timeout: 180_000 }, (_, before, after) => {
    const slow: unknown[] = [];
    for (const piece of PIECES) {
      const body = before + piece.repeat(LENGTH / piece.length) + after;
      for (const type of types) {
        const start = performance.now();
        read(body, type);
        const ms = performance.now() - start;
        if (ms > BOUND_MS) slow.push([piece, type, ms]);
      }
    }
    expect(slow).toEqual([]);
  });

  it.each(["boundary=", 'boundary="', "boundary=x'", "boundary ", "-", "a"])(
    "is bounded for a content type of %j",
    (piece) => {
      const type = `multipart/form-data; boundary=${piece.repeat(16_000 / piece.length)}`;
      const start = performance.now();
      read(`${`--${piece}`.repeat(100_000)}\r\n${PART}`, type);
      expect(performance.now() - start).toBeLessThan(BOUND_MS);
    },
  );
});

describe("more than three emails", () => {
  const others = Array.from({ length: 9 }, (_, at) => `&email=a${at}@b.io`).join("");
  const unreadable = { state: "failed", fault: "unreadable" };

  it.each([
    ["JSON", `{"a":"${others}&","email":"${BAD}"}`, JSON_TYPE],
    ["JSON of another type", `{"a":"${others}&","email":"${BAD}"}`, "text/plain"],
    [
      "a multipart form",
      `--x\r\n${PART}${BAD}\r\n--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n${others}&\r\n--x--`,
      "multipart/form-data; boundary=x",
    ],
  ])("judge the one that the parser of %s finds, and are unreadable", (_, body, type) => {
    const emails = judged(body, type);
    expect(emails[0]).toBe(BAD);
    expect(emails.slice(1)).toEqual(["a0@b.io", "a1@b.io", unreadable]);
    expect(read(body, type).values).toHaveLength(3);
  });

  it("put the field of a declared form before JSON", () => {
    const body = `{"email":"${GOOD}","a":"&email=${BAD}&"}`;
    expect(judged(body, FORM_TYPE)).toEqual([BAD, GOOD]);
    expect(judged(body, JSON_TYPE)).toEqual([GOOD, BAD]);
  });
});

describe("a line that looks like a boundary", () => {
  const text = `${GOOD}\n-- <${BAD}>`;

  it.each([
    ["declared", "x", "multipart/form-data; boundary=x"],
    ["declared in quotes", "x y", 'multipart/form-data; charset=utf-8; boundary="x y"'],
    ["declared twice", "x", "multipart/form-data; boundary=y; boundary=x"],
    ["the first line", "x", "text/plain"],
  ])("ends a part or not if the boundary is %s", (_, boundary, type) => {
    const body = `--${boundary}\r\n${PART}${text}\r\n--${boundary}--\r\n`;
    expect(judged(body, type)).toEqual([text, GOOD]);
  });

  it("changes nothing in another part", () => {
    const other = 'Content-Disposition: form-data; name="a"\r\n\r\nHello\n-- \nAnn';
    const body = `--x\r\n${other}\r\n--x\r\n${PART}${GOOD}\r\n--x--\r\n`;
    expect(judged(body, "multipart/form-data; boundary=x")).toEqual([GOOD]);
  });
});

describe("a form in the text of JSON", () => {
  it.each([
    [`${BAD} (hi)`, `${BAD} (hi)`],
    [`Eve <${BAD}> hi`, `Eve <${BAD}> hi`],
    [`%22Eve%22 <${BAD}> hi`, `"Eve" <${BAD}> hi`],
    [String.raw`\"Eve\" <${BAD}> hi`, String.raw`\"Eve\" <${BAD}> hi`],
    ["evil\uFF20mailinator.com", "evil\uFF20mailinator.com"],
    [`${BAD}@`, `${BAD}@`],
  ])("has the email of %j", (value, email) => {
    expect(judged(`{"email":"${GOOD}","x":"&email=${value}&"}`)).toEqual([GOOD, email]);
  });

  it("is refused if it has an email that is too long to be read", () => {
    const refused = [{ state: "skipped", why: "unusable" }];
    const long = `${"x".repeat(2000)} ${BAD}`;
    expect(judged(`{"email":"${GOOD}","x":"&email=${long}&"}`)).toEqual(refused);
    expect(judged(`{"email":"${long}"}`)).toEqual(refused);
  });

  it("ends with the text", () => {
    const last = (value: string) => judged(`{"email":"${GOOD}","x":"&email=${value}","y":[1]}`);
    expect(last(`${BAD} (hi)`)).toEqual([GOOD, `${BAD} (hi)`]);
    expect(last(GOOD)).toEqual([GOOD]);
  });

  it.each(["@home", "hello", "", `${"x".repeat(2000)} @ home`])("ignores %j", (value) => {
    const ignored = value === "@home" ? `&mail=${value}` : `&email=${value}`;
    expect(judged(`{"email":"${GOOD}","x":"${ignored} you&"}`)).toEqual([GOOD]);
  });
});

describe("text with two bytes for each character", () => {
  const unreadable = { state: "failed", fault: "unreadable" };
  const bigEndian = (text: string): Buffer => Buffer.from(text, "utf16le").swap16();
  const encodings: readonly [name: string, encode: (text: string) => Buffer][] = [
    ["little-endian", (text) => Buffer.from(text, "utf16le")],
    ["big-endian", bigEndian],
    ["with a byte order mark", (text) => Buffer.from(`\uFEFF${text}`, "utf16le")],
    ["big-endian with a byte order mark", (text) => bigEndian(`\uFEFF${text}`)],
  ];
  const bodies = [
    [FORM_TYPE, `email=${BAD}`],
    [FORM_TYPE, `a=1&email=${BAD}`],
    [JSON_TYPE, `{"email":"${BAD}"}`],
    ["multipart/form-data; boundary=x", `--x\r\n${PART}${BAD}\r\n--x--`],
    ["text/plain", `email=${BAD}`],
  ] as const;

  it.each(encodings)("is unreadable, never absent: %s", (_, encode) => {
    for (const [type, text] of bodies) {
      for (const declared of [type, `${type}; charset=utf-16`, `${type}; charset="UTF-16LE"`]) {
        expect(judged(encode(text), declared)).toEqual([unreadable]);
        // As text, which a parser in front has decoded as UTF-8.
        expect(judged(encode(text).toString(), declared)).toEqual([unreadable]);
      }
    }
  });

  it("behind another email judges that one, and is unreadable", () => {
    const body = Buffer.concat([
      Buffer.from(`email=${GOOD}&`),
      Buffer.from(`&email=${BAD}`, "utf16le"),
    ]);
    expect(judged(body, FORM_TYPE)).toEqual([expect.stringContaining(GOOD), unreadable]);
  });

  it.each(["utf-16", "utf-32", "utf-7", "ucs-2", "ISO-10646-UCS-2"])(
    "is unreadable if bytes are declared as %s",
    (charset) => {
      const body = Buffer.from("name=ada");
      expect(judged(body, `${FORM_TYPE}; charset=${charset}`)).toEqual([unreadable]);
    },
  );

  it.each(["utf-8", "iso-8859-1", "windows-1252", "us-ascii", "shift_jis"])(
    "is not assumed for %s",
    (charset) => {
      const type = `${FORM_TYPE}; charset=${charset}`;
      expect(judged(Buffer.from(`email=${GOOD}`), type)).toEqual([GOOD]);
      expect(judged(Buffer.from("name=ada"), type)).toEqual([{ state: "skipped", why: "absent" }]);
    },
  );

  it("is not assumed for a file in a multipart form", () => {
    const file = 'Content-Disposition: form-data; name="photo"; filename="a.png"\r\n\r\n\0\0\0';
    const body = `--x\r\n${PART}${GOOD}\r\n--x\r\n${file}\r\n--x--`;
    expect(judged(Buffer.from(body), "multipart/form-data; boundary=x")).toEqual([GOOD]);
  });

  it("is not assumed for text that a parser has decoded", () => {
    expect(judged(`email=${GOOD}`, `${FORM_TYPE}; charset=utf-16`)).toEqual([GOOD]);
  });
});
