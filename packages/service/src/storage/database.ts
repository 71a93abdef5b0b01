export type { Database } from "./schema.js";

/** Replaces characters that not every database can store: NUL and unpaired surrogates. */
export function storedText(text: string): string {
  return text.replaceAll("\0", "\ufffd").toWellFormed();
}
