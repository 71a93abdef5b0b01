/** Maximum length of a pattern, in characters. */
export const MAX_PATTERN = 200;

/**
 * Compiles patterns in which `*` stands for any text; letter case is ignored. The search takes time
 * in proportion to the text, whatever the pattern.
 */
export function textMatcher(patterns: readonly string[]): (text: string) => boolean {
  const compiled = patterns.map((pattern) => pattern.toLowerCase().split("*"));
  return (text) => {
    const lower = text.toLowerCase();
    return compiled.some((parts) => holdsParts(lower, parts));
  };
}

function holdsParts(text: string, parts: readonly string[]): boolean {
  const [first = "", ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
