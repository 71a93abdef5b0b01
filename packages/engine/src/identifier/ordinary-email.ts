/** No character that takes part in any rule about the form, the harm or the case of an address. */
const ORDINARY =
  /^[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*@(?:[a-z0-9]+(?:-+[a-z0-9]+)*\.)+[a-z][a-z0-9]*(?:-+[a-z0-9]+)*$/;

/** Longest local part, so that no part needs to be measured on its own. */
const MAX_LENGTH = 64;

/**
 * Whether one regular expression shows an address to be usable, well-formed, harmless and folded, as
 * nearly all are: separate checks take ten times as long.
 */
export function isOrdinaryEmail(value: unknown): boolean {
  return typeof value === "string" && value.length <= MAX_LENGTH && ORDINARY.test(value);
}
