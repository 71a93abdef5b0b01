import { endOfText, parseShallowJson } from "../base/shallow-json.js";
import { isOverlong } from "../address/mailbox.js";
import type { Fact } from "../model/decision.js";
import { ABSENT, NOT_GIVEN, UNUSABLE } from "../model/fact.js";
import { chooseEmail, type SeveralEmails } from "./choose-email.js";
import { type Field, fieldsAt, formOf } from "./field-path.js";
import type { RequestHead } from "./gated-request.js";

export interface BodyReadings {
  emailAt(path: readonly string[]): EmailReading;
}

interface EmailReading {
  /** The only email, or the first one; unreadable if no parser understands the body. */
  readonly fact: Fact;
  readonly several: SeveralEmails | undefined;
  readonly values: readonly unknown[];
  readonly parsed: unknown;
}

/** Maximum number of emails in one body that are looked up or counted; others are unreadable. */
export const MAX_EMAILS = 3;

const FORM_TYPE = /x-www-form-urlencoded/i;

const FORM = /^[^\s=&{<]+=/;

const DISPOSITION = /content-disposition/i;

const PART_NAME = /\bname\*?\s*=\s*(?:[\w-]*'[^']*')?"?([^";\r\n]*)/gi;

/** Encodings that do not contain ASCII: parsers that support them find fields that others do not. */
const WIDE = /\bcharset\s*=\s*["']?\s*(?:utf-?(?:7|16|32)|(?:iso-10646-)?ucs)/i;

/** An encoding in which some parsers decode a field, and others do not. */
const ENCODED = /\b(?:base64|quoted-printable)\b/i;

const BOUNDARY = /\bboundary\*?\s*=\s*(?:[\w-]*'[^']*')?(?:"([^"]*)"|([^\s";,]*))/gi;

/** The first line that looks like a boundary. */
const BOUNDARY_LINE = /(?:^|\n)--([^\r\n]*)/;

const BLANK_LINE = /\r?\n\r?\n/;

/** Longest text in which an email is sought that does not end it: longer ones are free text. */
const MAX_LOOSE = 1_024;

/**
 * Reads a body as JSON, form and multipart form, whatever its type: the handler may use any of
 * these parsers. A parsed body is returned unchanged.
 */
export function readAnyBody(body: unknown, head: Pick<RequestHead, "headers">): unknown {
  if (typeof body !== "string" && !ArrayBuffer.isView(body)) return body;
  const readings: BodyReadings = {
    emailAt(path) {
      const type = String(head.headers["content-type"]);
      const isText = typeof body === "string";
      // Without whitespace and the byte order mark, which some parsers drop.
      const text = (
        isText ? body : new TextDecoder().decode(body as Uint8Array<ArrayBuffer>)
      ).trim();
      // A zero shows text in UTF-16 or UTF-32, unless it is in a file of a multipart form.
      const isWide =
        (text.includes("\0") && !DISPOSITION.test(text)) || (!isText && WIDE.test(type));
      return readText(text, type, path, isWide);
    },
  };
  return readings;
}

/** @param isWide True if a parser may decode the text in another way. */
function readText(
  text: string,
  type: string,
  path: readonly string[],
  isWide: boolean,
): EmailReading {
  // What the parser of the declared type finds comes first, because only the first ones are judged.
  const values = new Set<unknown>();
  const isForm = FORM_TYPE.test(type);
  let isRead = text === "" || isForm || FORM.test(text);
  let isJson = false;
  let parsed: unknown;
  const form = formOf(text);
  // Some parsers of forms ignore the whitespace around a name; in free text, it ends none.
  if (isForm) addFields(values, fieldsAt(path, form.map(trimName)));
  try {
    parsed = parseShallowJson(text);
    const value = valueAt(parsed, path);
    if (value !== undefined) values.add(value);
    isRead = isJson = true;
  } catch {
    // Another parser may understand it.
  }
  const isMultipart = DISPOSITION.test(text);
  if (isMultipart) {
    isRead = true;
    // A line that looks like a boundary ends a part for some parsers, and is text for others.
    for (const boundary of [...boundariesOf(type, text), ""]) {
      addFields(values, fieldsAt(path, partsOf(text, boundary)));
    }
    parsed ??= Object.fromEntries(partsOf(text, ""));
  }
  if (isJson || isMultipart) {
    addLoose(values, fieldsAt(path, form), endsAsEmail);
    const loose = isJson ? formOf(withinStrings(text)) : form;
    addLoose(values, fieldsAt(path, loose), hasEmail);
  } else addFields(values, fieldsAt(path, form));
  values.delete("");
  return {
    ...emailIn([...values], isRead && !isWide, isWide),
    values: [...values].slice(0, MAX_EMAILS),
    parsed: parsed ?? (FORM.test(text) ? Object.fromEntries(form) : undefined),
  };
}

function emailIn(
  values: readonly unknown[],
  isRead: boolean,
  hasMore: boolean,
): Omit<EmailReading, "values" | "parsed"> {
  const texts = values.filter(
    (value): value is string => typeof value === "string" && !isOverlong(value),
  );
  if (texts.length < values.length) return { fact: UNUSABLE, several: undefined };
  const emails: Fact[] = texts.slice(0, MAX_EMAILS);
  // The first ones are judged even so: others must not hide one from the lists.
  if (texts.length > MAX_EMAILS || hasMore) emails.push(NOT_GIVEN);
  const [fact, second] = emails;
  if (fact === undefined) return { fact: isRead ? ABSENT : NOT_GIVEN, several: undefined };
  const choose: SeveralEmails["choose"] = (...judges) => chooseEmail(emails, ...judges);
  return { fact, several: second === undefined ? undefined : { emails, choose } };
}

/**
 * Returns true for the result of {@link readAnyBody}: no parser of a client's body creates a
 * function.
 */
export function isReadings(body: unknown): body is BodyReadings {
  return typeof (body as Partial<BodyReadings> | null | undefined)?.emailAt === "function";
}

/** Returns the value at a path of own members of a parsed body. */
export function valueAt(body: unknown, path: readonly string[]): unknown {
  let value = body;
  for (const name of path) {
    if (typeof value !== "object" || !value || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

const trimName = ([name, value]: Field): Field => [name.trim(), value];

/** Adds a form value. Brackets after the name, or a second field, make a list, which is refused. */
function addFields(values: Set<unknown>, fields: ReturnType<typeof fieldsAt>): void {
  const list = fields.map(({ value }) => value);
  for (const { value, isBelow } of fields) {
    values.add(isBelow || fields.length > 1 ? list : value);
  }
}

/** Adds emails of a possible form: in free text, an ampersand and an equals sign do not make one. */
function addLoose(
  values: Set<unknown>,
  fields: ReturnType<typeof fieldsAt>,
  isEmail: (value: string) => boolean,
): void {
  for (const { value } of fields) if (isEmail(value!)) values.add(value);
}

function endsAsEmail(value: string): boolean {
  const text = value.trimEnd();
  const at = text.lastIndexOf("@", text.length - 2);
  return at >= 0 && at < text.length - 1 && !/[\s"]/.test(text.slice(at));
}

/** Mailbox readers take an email from the middle of a text, and a wide @ for an ordinary one. */
function hasEmail(value: string): boolean {
  return value.length <= MAX_LOOSE && value.normalize("NFKC").includes("@");
}

/** Returns JSON in which each field of a form ends with the string that it is in. */
function withinStrings(json: string): string {
  const pairs = json.split("&");
  return pairs.map((pair) => pair.slice(0, endOfText(pair, -1))).join("&");
}

/** Returns the boundaries that parsers may use; of several declared ones, they use the first or last. */
function boundariesOf(type: string, text: string): Set<string> {
  const declared = Array.from(type.matchAll(BOUNDARY), ([, quoted, plain]) => quoted ?? plain);
  const found = [declared[0], declared.at(-1), BOUNDARY_LINE.exec(text)?.[1]];
  return new Set(found.flatMap((boundary) => boundary?.trim() || []));
}

/**
 * Finds the fields of a multipart form between all lines that begin with a boundary; an empty one
 * matches any, because parsers differ in the boundary, the line breaks and the name that they accept.
 */
function* partsOf(text: string, boundary: string): Generator<Field> {
  const [before = "", ...lines] = `\n${text}`.split("\n--");
  let part = boundary ? undefined : before;
  for (const line of lines) {
    if (line.startsWith(boundary)) {
      yield* fieldsOf(part);
      part = line;
    } else if (part !== undefined) part += `\n--${line}`;
  }
  yield* fieldsOf(part);
}

function* fieldsOf(part = ""): Generator<Field> {
  const blank = BLANK_LINE.exec(part);
  const head = part.slice(0, blank?.index);
  if (!DISPOSITION.test(head)) return;
  const body = blank ? part.slice(blank.index + blank[0].length) : "";
  const value = ENCODED.test(head) || WIDE.test(head) ? undefined : body.trim();
  const names = head.replaceAll("\\", "").matchAll(PART_NAME);
  for (const name of new Set(Array.from(names, ([, given = ""]) => given))) {
    yield [new URLSearchParams(`n=${name.trim()}`).get("n")!, value];
  }
}
