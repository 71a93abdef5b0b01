const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Make a text from elsewhere safe to show: control characters could rewrite the terminal, marks of
 * direction the order of what is read, and what is not seen makes two names look alike.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(""),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
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
