export type Harm =
  "control characters" | "markup" | "script" | "template" | "SQL" | "shell command" | "path";

/**
 * Patterns that no mailbox matches, each with its name. Single characters that addresses do use,
 * such as the apostrophe of o'brien, never count alone.
 *
 * Every repetition is bounded or cannot overlap with the text after it, so that matching is linear.
 */
const HARMS: readonly (readonly [Harm, RegExp])[] = [
  // Line and paragraph separators and direction marks count as control characters.
  ["control characters", /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u],
  ["control characters", /%0[0ad]/i],
  // A name before an address, as in `Ann <ann@example.com>`, is not a tag: a tag name must end as
  // tag names do.
  ["markup", /(?:<|%3c)(?:[!?%]|\/?[a-z][a-z0-9:-]{0,30}(?:[\s/>%]|$))/i],
  ["script", /\b(?:java|vb)script\s{0,8}:/i],
  ["script", /\bdata:[a-z]{1,20}\/[a-z]/i],
  ["script", /["'`\s]on[a-z]{3,20}\s{0,8}=/i],
  ["template", /[$#]\{|\{\{|<%/],
  ["SQL", /["']\s{0,8}(?:;|--|\/\*|\)\s{0,8}(?:;|--|or\b|and\b))/i],
  ["SQL", /["')]\s{0,8}(?:or|and|having)[\s("'][^@]{0,40}(?:=|--|\blike\b)/i],
  ["SQL", /\bunion\s{1,8}(?:all\s{1,8})?select\b/i],
  ["SQL", /;\s{0,8}(?:drop|delete|insert|update|alter|exec|shutdown)\b/i],
  ["shell command", /\$\(|\(\)\s{0,8}\{|`[^`]{1,64}[\s/][^`]{0,64}`/],
  ["shell command", /[;|&]\s{0,8}(?:cat|curl|wget|bash|sh|nc|rm|ping|sleep)[\s/$]/i],
  ["path", /\.\.[/\\]|\/etc\/passwd/i],
];

/** Returns the kind of code or control character in an address, or undefined. */
export function harmOf(email: string): Harm | undefined {
  return HARMS.find(([, pattern]) => pattern.test(email))?.[0];
}
