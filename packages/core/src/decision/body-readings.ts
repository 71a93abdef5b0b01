import { parseShallowJson } from "../base/shallow-json.js";
import type { Fact } from "../model/decision.js";
import { ABSENT, NOT_GIVEN, UNUSABLE } from "../model/fact.js";
import { chooseEmail, type SeveralEmails } from "./choose-email.js";
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

/** Maximum number of emails in one body that are looked up or counted. */
export const MAX_EMAILS = 3;

const FORM_TYPE = /x-www-form-urlencoded/i;

const FORM = /^[^\s=&{<]+=/;

const DISPOSITION = /content-disposition/i;

const PART_NAME = /\bname\*?\s*=\s*(?:[\w-]*'[^']*')?"?([^";\r\n]*)/gi;

/** An encoding in which some parsers decode a field, and others do not. */
const ENCODED = /\b(?:base64|quoted-printable)\b|charset="?utf-?(?:16|32)/i;

/** In free text, an ampersand and an equals sign do not make a form. */
const ENDS_AS_EMAIL = /@[^\s"]+\s*$/;

/**
 * Reads a body as JSON, form and multipart form, whatever its type: the handler may use any of
 * these parsers. A parsed body is returned unchanged.
 */
export function readAnyBody(body: unknown, head: Pick<RequestHead, "headers">): unknown {
  if (typeof body !== "string" && !ArrayBuffer.isView(body)) return body;
  const readings: BodyReadings = {
    emailAt(path) {
      // Without whitespace and the byte order mark, which some parsers drop.
      const text = (
        typeof body === "string" ? body : new TextDecoder().decode(body as Uint8Array<ArrayBuffer>)
      ).trim();
      return readText(text, FORM_TYPE.test(String(head.headers["content-type"])), path);
    },
  };
  return readings;
}

function readText(text: string, isForm: boolean, path: readonly string[]): EmailReading {
  const values = new Set<unknown>();
  let isRead = text === "" || isForm || FORM.test(text);
  let isLoose = false;
  let parsed: unknown;
  try {
    parsed = parseShallowJson(text);
    const value = valueAt(parsed, path);
    if (value !== undefined) values.add(value);
    isRead = isLoose = true;
  } catch {
    // Another parser may understand it.
  }
  if (DISPOSITION.test(text)) {
    isRead = isLoose = true;
    const parts = [...partsOf(text)];
    parsed ??= Object.fromEntries(parts);
    addFields(values, fieldsAt(path, parts), false);
  }
  const form = new URLSearchParams(text);
  addFields(values, fieldsAt(path, form), isLoose && !isForm);
  values.delete("");
  return {
    ...emailIn([...values], isRead),
    values: [...values],
    parsed: parsed ?? (FORM.test(text) ? Object.fromEntries(form) : undefined),
  };
}

function emailIn(
  values: readonly unknown[],
  isRead: boolean,
): Omit<EmailReading, "values" | "parsed"> {
  const emails = values.filter((value) => typeof value === "string");
  if (emails.length < values.length) return { fact: UNUSABLE, several: undefined };
  if (emails.length > MAX_EMAILS) return { fact: NOT_GIVEN, several: undefined };
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

type Field = readonly [name: string, value: string | undefined];

/**
 * Adds a form value. Brackets after the name, or a second field, make a list, which is refused.
 * @param isLoose Take only text that ends as an email.
 */
function addFields(values: Set<unknown>, fields: readonly Field[], isLoose: boolean): void {
  const list = fields.map(([, value]) => value);
  for (const [rest, value] of fields) {
    if (isLoose) {
      if (ENDS_AS_EMAIL.test(value!)) values.add(value);
    } else values.add(rest === "" && fields.length === 1 ? value : list);
  }
}

/** Returns the fields at a path or below it, with the remaining part of their names. */
function fieldsAt(path: readonly string[], form: Iterable<Field>): Field[] {
  const wanted = `${path.join(".")}.`;
  const found: Field[] = [];
  for (const [given, value] of form) {
    // Some parsers treat `[user][email]`, `user[email]` and `user.email` as one name.
    const name = `${given.replace(/^\[|\]/g, "").replaceAll("[", ".")}.`;
    if (name.startsWith(wanted)) found.push([name.slice(wanted.length), value]);
  }
  return found;
}

/**
 * Finds the fields of a multipart form between all lines that look like a boundary, because parsers
 * differ in the boundary, the line breaks and the name that they accept.
 */
function* partsOf(text: string): Generator<Field> {
  for (const part of text.split(/(?:^|\n)--/)) {
    const [head = "", ...rest] = part.split(/\r?\n\r?\n/);
    if (!DISPOSITION.test(head)) continue;
    const value = ENCODED.test(head) ? undefined : rest.join("\n\n").trim();
    const names = head.replaceAll("\\", "").matchAll(PART_NAME);
    for (const name of new Set(Array.from(names, ([, name = ""]) => name))) {
      yield [new URLSearchParams(`n=${name.trim()}`).get("n")!, value];
    }
  }
}
