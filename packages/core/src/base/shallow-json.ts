const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Maximum nesting of arrays and objects in JSON; valid bodies have at most six levels. */
const MAX_DEPTH = 64;

export const TOO_DEEP: string = `nested more than ${MAX_DEPTH} levels deep`;

/** Maximum length without a limit on depth: the deepest text takes the parser about 0.15 s. */
const CHEAP_LENGTH = 2 ** 20;

/**
 * Parses JSON from outside. Long text must not be nested deeply, because parsing it can take
 * ten times as long as parsing flat text.
 * @throws {SyntaxError} If the text is not JSON.
 * @throws {RangeError} If it is nested too deeply.
 */
export function parseShallowJson(text: string): unknown {
  if (text.length > CHEAP_LENGTH) refuseDeep(text);
  return JSON.parse(text) as unknown;
}

/** @throws {RangeError} If the text, which may be invalid JSON, is nested too deeply. */
export function refuseDeep(text: string): void {
  if (isNestedDeeperThan(text, MAX_DEPTH)) throw new RangeError(TOO_DEEP);
}

/**
 * Returns true if arrays and objects in JSON text, valid or not, are nested more than `depth`
 * levels.
 */
export function isNestedDeeperThan(text: string, depth: number): boolean {
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfText(text, at);
    // All brackets are at the end of ASCII; digits, whitespace and commas are not.
    else if (code < 0x5b) continue;
    else if (code === 0x5b || code === 0x7b) {
      if (++open > depth) return true;
    } else if (code === 0x5d || code === 0x7d) open--;
  }
  return false;
}

/**
 * Returns the position of the quote that ends the JSON string starting at `from`, or the text's
 * length if none does. `indexOf` takes half the time of checking each character.
 */
export function endOfText(json: string, from: number): number {
  for (let at = from; ;) {
    at = json.indexOf('"', at + 1);
    if (at < 0) return json.length;
    let escape = at;
    while (json.charCodeAt(escape - 1) === BACKSLASH) escape--;
    // Backslashes in pairs are literal; a single one escapes the quote.
    if ((at - escape) % 2 === 0) return at;
  }
}
