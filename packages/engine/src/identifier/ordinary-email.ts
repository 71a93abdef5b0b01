/** Contains no character that affects an address's form, harm or case. */
const ORDINARY =
  /^[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*@(?:[a-z0-9]+(?:-+[a-z0-9]+)*\.)+[a-z][a-z0-9]*(?:-+[a-z0-9]+)*$/;

/** Maximum length of a local part, so that no part needs to be measured. */
const MAX_LENGTH = 64;

/**
 * Returns true if one regular expression shows that an address is usable, well-formed, harmless and
 * folded, as nearly all are: separate checks take ten times as long.
 */
export function isOrdinaryEmail(value: unknown): boolean {
  return typeof value === "string" && value.length <= MAX_LENGTH && ORDINARY.test(value);
}
