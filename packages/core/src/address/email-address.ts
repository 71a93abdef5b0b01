import { utf8Length } from "../base/platform.js";
import { typeName } from "../base/type-name.js";

/** Longest identifier accepted for a lookup: 64-byte local part, an @ and 255-byte domain. */
const MAX_BYTES = 320;

/**
 * Returns why a value cannot be looked up as an email address, or undefined.
 *
 * Rejects only values that cannot be a path segment: the service scores malformed addresses too.
 */
export function emailProblem(value: unknown): string | undefined {
  if (typeof value !== "string") return `expected a string, given ${typeName(value)}`;
  if (value.trim() === "") return "expected an email address, given only blanks";
  // URL normalisation would remove these segments and address a different resource.
  if (value === "." || value === "..") return "expected an email address, given a path step";
  // UTF-8 uses at most three bytes per UTF-16 code unit.
  const isLong = 3 * value.length > MAX_BYTES;
  if (isLong && (value.length > MAX_BYTES || utf8Length(value) > MAX_BYTES)) {
    return `expected at most ${MAX_BYTES} bytes`;
  }
  if (!value.isWellFormed()) return "expected Unicode text, given a lone surrogate";
  return undefined;
}

/**
 * Returns the address with the ASCII letters of its domain in lower case. No other folding is safe:
 * it could merge two mailboxes.
 */
export function foldEmail(email: string): string {
  const at = email.lastIndexOf("@");
  if (at < 0 || !UPPER.test(email)) return email;
  const domain = email.slice(at).replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return email.slice(0, at) + domain;
}

const UPPER = /[A-Z]/;

/** Returns the text after the last @ of an address, or an empty string. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1 || email.length);
}
