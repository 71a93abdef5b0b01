/** Control characters, and marks that change the order in which text is read. */
const UNSEEN =
  // oxlint-disable-next-line no-control-regex -- The pattern searches for them.
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Escapes invisible characters in untrusted text. */
export function visible(text: string): string {
  return text.replace(
    UNSEEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
