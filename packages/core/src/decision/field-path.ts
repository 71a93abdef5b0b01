export type Field = readonly [name: string, value: string | undefined];

/** A field that some parser stores at a path, or below it. */
interface FieldAt {
  readonly value: string | undefined;
  /** True if it is a list or an object to every parser. */
  readonly isBelow: boolean;
}

/**
 * The members that a name selects, for parsers that read dots and for others. Brackets open one;
 * the text behind a closing bracket, or behind a zero, is part of none.
 */
const MEMBERS = [/(?:^|[[.])[^[\].\0]*/g, /(?:^|\[)[^[\]\0]*/g] as const;

/** Parsers may give an entry of a list any index, and put lists of lists into one. */
const isNamed = (member: string): boolean => !/^\d*$/.test(member);

/** Returns the fields that any parser stores at a path: `user.email`, `[user]x[email]y`. */
export function fieldsAt(path: readonly string[], form: Iterable<Field>): FieldAt[] {
  const wanted = path.filter(isNamed);
  const found: FieldAt[] = [];
  for (const [given, value] of form) {
    // A dot in front of another separator separates nothing.
    const name = given.replace(/^[[\].\0]+|\.(?=[.[])/g, "");
    if (!name.startsWith(path[0]!)) continue;
    const depths = MEMBERS.flatMap((pattern) => {
      const members = name.match(pattern)!.map((member) => member.replace(/^[[.]/, ""));
      const named = members.filter(isNamed);
      return wanted.every((member, at) => member === named[at]) ? members.length : [];
    });
    if (depths.length > 0) found.push({ value, isBelow: !depths.includes(path.length) });
  }
  return found;
}

/**
 * Returns the fields of a form, also as qs reads them: it ends a name at `]=` before the first `=`,
 * and decodes only the brackets of a malformed name.
 */
export function formOf(text: string): Field[] {
  const others = text.split("&").flatMap((pair) => {
    const close = pair.search(/(?:\]|%5D)=/i);
    const end = Math.max(close < 0 ? pair.indexOf("=") : close, 0);
    const name = pair.slice(0, end);
    const other = name.replace(/=|%(?=2E)/gi, encodeURIComponent);
    return other === name ? [] : other + pair.slice(end);
  });
  return [...new URLSearchParams(text), ...new URLSearchParams(others.join("&"))];
}
