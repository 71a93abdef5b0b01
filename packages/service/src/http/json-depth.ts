const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Returns true if arrays and objects in a JSON text are nested more than `depth` levels. The text may
 * be invalid JSON.
 */
export function isNestedDeeperThan(json: Uint8Array, depth: number): boolean {
  let open = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!;
    if (byte === QUOTE) isText = !isText;
    else if (isText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === 0x5b || byte === 0x7b) {
      if (++open > depth) return true;
    } else if (byte === 0x5d || byte === 0x7d) open--;
  }
  return false;
}
