// oxlint-disable-next-line no-control-regex -- They are what is looked for.
const UNPRINTABLE = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Make a text from elsewhere safe to show: control characters could rewrite the terminal, and marks
 * of direction the order of what is read.
 */
export function printable(text: string): string {
  return text.replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Write a value as one line of JSON that is safe to show. */
export function jsonLine(value: unknown): string {
  return `${printable(jsonText(value))}\n`;
}

/** The JSON text of a value, or of a remark in its place: what came from elsewhere may be too deep. */
function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // The stack is too small for it; a value with a cycle comes from nowhere.
    if (error instanceof RangeError) return '{"notShown":"nested too deeply"}';
    throw error;
  }
}
