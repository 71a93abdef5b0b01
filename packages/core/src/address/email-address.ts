import { utf8Length } from "../base/platform.js";
import { typeName } from "../base/type-name.js";

/** Longest identifier that is looked up: 64 bytes of local part, an @ and 255 bytes of domain. */
const MAX_BYTES = 320;

/**
 * Why a value cannot be looked up as an email address; undefined when it can.
 *
 * Only what cannot be one path segment is refused: whether the address is well-formed is a question
 * for the service, which scores malformed addresses too.
 */
export function emailProblem(value: unknown): string | undefined {
  if (typeof value !== "string") return `expected a string, given ${typeName(value)}`;
  if (value.trim() === "") return "expected an email address, given only blanks";
  // URL normalisation would remove these segments and reach another resource.
  if (value === "." || value === "..") return "expected an email address, given a path step";
  if (value.length > MAX_BYTES || utf8Length(value) > MAX_BYTES) {
    return `expected at most ${MAX_BYTES} bytes`;
  }
  if (!value.isWellFormed()) return "expected Unicode text, given a lone surrogate";
  return undefined;
}

/**
 * What is looked up for a text that a visitor gave: the text, or what is left of it without the blanks
 * around it, which handlers drop too; undefined where neither can be.
 */
export function usableEmail(text: string): string | undefined {
  return [text, text.trim()].find((email) => emailProblem(email) === undefined);
}

/**
 * The address with the ASCII letters of its domain in lower case: the only folding that never makes
 * two mailboxes one.
 */
export function foldEmail(email: string): string {
  const at = email.lastIndexOf("@");
  if (at < 0 || !UPPER.test(email)) return email;
  const domain = email.slice(at).replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return email.slice(0, at) + domain;
}

const UPPER = /[A-Z]/;

/** Domain of an address in lower case, or an empty string when there is none. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1 || email.length).toLowerCase();
}
