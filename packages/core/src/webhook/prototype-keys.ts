import { isRawObject } from "../model/raw-object.js";

/** A dangerous key contains one of these words, unless one of its letters is escaped. */
const SUSPECT = /__proto__|prototype/;
const HIDDEN_LETTER = /\\u00[5-7]/;

/**
 * Removes own `__proto__` keys, and `prototype` below `constructor`, at any depth of a parsed
 * value.
 *
 * The JSON parser makes `__proto__` an ordinary own key, which takes effect when the object is
 * copied by assignment or merged.
 * @param text The parsed text.
 */
export function withoutPrototypeKeys<T>(value: T, text: string): T {
  // Nearly every text ends here. Few have an escape, and searching for one costs nothing.
  const isHidden = text.includes("\\u00") && HIDDEN_LETTER.test(text);
  if (!isHidden && !SUSPECT.test(text)) return value;
  // A list instead of recursion: the sender controls the depth.
  const pending: unknown[] = isRawObject(value) || Array.isArray(value) ? [value] : [];
  while (pending.length > 0) {
    const current = pending.pop() as object;
    if (!Array.isArray(current)) removeKeys(current as Record<string, unknown>);
    // Without a copy: the sender also controls the number of arrays.
    for (const child of Array.isArray(current) ? current : Object.values(current)) {
      if (typeof child === "object" && child !== null) pending.push(child);
    }
  }
  return value;
}

function removeKeys(object: Record<string, unknown>): void {
  if (Object.hasOwn(object, "__proto__")) delete object["__proto__"];
  if (!Object.hasOwn(object, "constructor")) return;
  const inner = object["constructor"];
  if (typeof inner === "object" && inner !== null && Object.hasOwn(inner, "prototype")) {
    delete (inner as Record<string, unknown>)["prototype"];
  }
}
