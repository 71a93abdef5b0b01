const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Makes untrusted text safe to show. Control characters could rewrite the terminal, direction marks
 * could reorder text, and invisible characters make two names look alike.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(""),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

export function jsonLine(value: unknown): string {
  return `${printable(jsonText(value))}\n`;
}

/** Returns the JSON of a value, or of a note if the value is nested too deeply. */
function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // The stack overflowed: no value is cyclic.
    if (error instanceof RangeError) return '{"notShown":"nested too deeply"}';
    throw error;
  }
}
