const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** The greatest of the bytes that are blanks in JSON; outside text it has no others up to here. */
const SPACE = 0x20;

/**
 * Find the bytes of each element of a JSON array, without the blanks around it.
 *
 * @param json An array that the JSON parser has accepted: anything else gives no useful result. A
 * leading BOM is skipped.
 */
export function elementBytes(json: Uint8Array): Uint8Array[] {
  const elements: Uint8Array[] = [];
  let depth = 0;
  let start = json.indexOf(0x5b) + 1;
  /** End of what is not blank. */
  let end = start;
  for (let at = start; at < json.length; at++) {
    const byte = json[at]!;
    if (byte === COMMA && depth === 0) {
      elements.push(json.subarray(start, end));
      start = end = at + 1;
    } else if (byte > SPACE) {
      if (byte === QUOTE) at = endOfText(json, at);
      else if (isOpening(byte)) depth++;
      else if (isClosing(byte) && --depth < 0) break;
      end = at + 1;
    } else if (end === start) end = ++start;
  }
  if (end > start) elements.push(json.subarray(start, end));
  return elements;
}

function endOfText(json: Uint8Array, from: number): number {
  let at = from + 1;
  for (; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) break;
    if (byte === BACKSLASH) at++;
  }
  return at;
}

function isOpening(byte: number): boolean {
  return byte === 0x5b || byte === 0x7b;
}

function isClosing(byte: number): boolean {
  return byte === 0x5d || byte === 0x7d;
}
