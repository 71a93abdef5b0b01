/** Digits of an id in a list, unless ids of the list begin with the same. */
const LENGTH = 8;

/** Returns the beginning of an id. Commands accept it instead of the whole id. */
export function shortId(id: string, length: number = LENGTH): string {
  return id.slice(0, length);
}

/** Returns the shortest beginnings that tell ids of a list apart. */
export function shortIds(ids: readonly string[]): readonly string[] {
  const longest = Math.max(LENGTH, ...ids.map((id) => id.length));
  let length = LENGTH;
  while (length < longest && new Set(ids.map((id) => shortId(id, length))).size < ids.length) {
    length++;
  }
  return ids.map((id) => shortId(id, length));
}

/** Returns true for text that may be the beginning of an id with this many digits. */
export function isShortId(text: string, digits: number): boolean {
  return /^[0-9a-f]{4,}$/.test(text) && text.length < digits;
}
