/** Longest identifier that is looked up. */
const MAX_BYTES = 320;

/**
 * Say why a value cannot be looked up as an email address, or undefined when it can. The same rule
 * as in every other lookup: form is assessed and not refused.
 */
export function emailProblem(value: unknown): string | undefined {
  if (typeof value !== "string" || value.trim() === "") return "expected an email address";
  if (value === "." || value === "..") return "expected an email address, given a path step";
  if (Buffer.byteLength(value) > MAX_BYTES) return `expected at most ${MAX_BYTES} bytes`;
  return value.isWellFormed() ? undefined : "expected Unicode text, given a lone surrogate";
}
