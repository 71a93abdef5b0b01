import { isRawObject } from "../model/raw-object.js";

/** A dangerous key contains one of these words, unless an escape hides a letter of it. */
const SUSPECT = /__proto__|prototype/;
const HIDDEN_LETTER = /\\u00[5-7]/;

/**
 * Removes own `__proto__` keys, and `prototype` below `constructor`, from a freshly parsed value, at
 * any depth.
 *
 * The JSON parser makes `__proto__` an ordinary own key, which takes effect as soon as the object is
 * copied by assignment or merged.
 *
 * @param text What `value` was parsed from.
 */
export function withoutPrototypeKeys<T>(value: T, text: string): T {
  // Nearly every text ends here. Few have any escape, and looking for its start costs nothing.
  const isHidden = text.includes("\\u00") && HIDDEN_LETTER.test(text);
  if (!isHidden && !SUSPECT.test(text)) return value;
  // A list instead of recursion: the sender chooses the depth.
  const pending: unknown[] = isRawObject(value) || Array.isArray(value) ? [value] : [];
  while (pending.length > 0) {
    const current = pending.pop() as object;
    if (!Array.isArray(current)) removeKeys(current as Record<string, unknown>);
    // Without a copy: the sender chooses the number of arrays as well.
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
