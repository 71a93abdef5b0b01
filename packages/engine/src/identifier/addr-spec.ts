/** End of the matched text, or -1 if it does not match. */
type End = number;

/**
 * Returns true if the text is an `addr-spec` of RFC 5322, section 3.4.1, in any of its forms: with
 * comments and folding white space (section 3.2.2), and with the obsolete ones (section 4.4), such
 * as whitespace around a dot or a quoted string between atoms. Characters beyond ASCII count as
 * letters (RFC 6532).
 *
 * Each character is read once, so the time grows linearly with the length.
 */
export function isAddrSpec(text: string): boolean {
  const at = endOfDotted(text, 0, endOfWord);
  if (at < 0 || text[at] !== "@") return false;
  const domain = endOfBlanks(text, at + 1);
  if (domain < 0) return false;
  const end =
    text[domain] === "["
      ? endOfBlanks(text, endOfLiteral(text, domain))
      : endOfDotted(text, domain, endOfAtom);
  return end === text.length;
}

/** Words joined by dots, each surrounded by optional whitespace and comments. */
function endOfDotted(text: string, from: number, endOf: (text: string, at: number) => End): End {
  for (let at = from; ; at++) {
    at = endOfBlanks(text, at);
    if (at >= 0) at = endOf(text, at);
    if (at >= 0) at = endOfBlanks(text, at);
    if (at < 0 || text[at] !== ".") return at;
  }
}

function endOfWord(text: string, at: number): End {
  return text[at] === '"' ? endOfQuoted(text, at) : endOfAtom(text, at);
}

function endOfAtom(text: string, from: number): End {
  let at = from;
  while (isAtom(text.charCodeAt(at))) at++;
  return at === from ? -1 : at;
}

function endOfQuoted(text: string, from: number): End {
  for (let at = from + 1; at < text.length;) {
    if (text[at] === '"') return at + 1;
    const next = endOfCharacter(text, at);
    if (next < 0) return -1;
    at = next;
  }
  return -1;
}

function endOfLiteral(text: string, from: number): End {
  for (let at = from + 1; at < text.length;) {
    if (text[at] === "]") return at + 1;
    const next = text[at] === "[" ? -1 : endOfCharacter(text, at);
    if (next < 0) return -1;
    at = next;
  }
  return -1;
}

/** Optional whitespace and comments, which can be nested. */
function endOfBlanks(text: string, from: number): End {
  if (from < 0) return -1;
  let depth = 0;
  for (let at = from; at < text.length;) {
    const isComment = depth > 0;
    if (text[at] === "(") {
      depth++;
      at++;
    } else if (isComment && text[at] === ")") {
      depth--;
      at++;
    } else {
      const next = isComment ? endOfCharacter(text, at) : endOfBlank(text, at);
      if (next < 0) return isComment ? -1 : at;
      at = next;
    }
  }
  return depth > 0 ? -1 : text.length;
}

/**
 * One character of a quoted string, a literal or a comment: whitespace, a quoted pair, or itself.
 */
function endOfCharacter(text: string, at: number): End {
  const blank = endOfBlank(text, at);
  if (blank >= 0) return blank;
  // The second character of a quoted pair may be any ASCII character: section 4.1.
  if (text[at] === "\\") return isQuotable(text.charCodeAt(at + 1)) ? at + 2 : -1;
  return isText(text.charCodeAt(at)) ? at + 1 : -1;
}

/** A space or tab, or a folded line break. Section 3.2.2. */
function endOfBlank(text: string, at: number): End {
  if (isBlank(text[at])) return at + 1;
  return text.startsWith("\r\n", at) && isBlank(text[at + 2]) ? at + 3 : -1;
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t";
}

/**
 * A letter, a digit or one of the signs of section 3.2.3. NaN, at the end of the text, does not
 * match.
 */
function isAtom(code: number): boolean {
  return isBeyondAscii(code) || (code > 32 && code < 127 && !SPECIALS.has(code));
}

const SPECIALS: ReadonlySet<number> = new Set(
  '()<>[]:;@\\,."'.split("").map((character) => character.charCodeAt(0)),
);

/** A visible character, or a control character that obsolete forms allow. Section 4.1. */
function isText(code: number): boolean {
  return isBeyondAscii(code) || (code > 0 && code < 128 && ![9, 10, 13, 32].includes(code));
}

function isQuotable(code: number): boolean {
  return isBeyondAscii(code) || code < 128;
}

/** Beyond ASCII and the control characters that follow it. */
function isBeyondAscii(code: number): boolean {
  return code >= 0xa0;
}
