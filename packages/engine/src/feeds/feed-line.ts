/** Lines of the Tor project's exit list, which has other details beside each address. */
const TOR_LINE = /^(?:ExitAddress (\S+)|(?:ExitNode|Published|LastStatus) )/;

/** A line that contains only an entry, as nearly all do. */
const PLAIN_LINE = /^[\w.:/-]+$/;

/**
 * Returns the entry on one line of a list; empty if the line has none.
 *
 * In every list of this kind, text after an entry is a comment or another column, whatever
 * separates them.
 */
export function entryOf(line: string): string {
  if (PLAIN_LINE.test(line)) return line;
  const tor = TOR_LINE.exec(line);
  if (tor) return tor[1] ?? "";
  return /^[^#;,\t]*/.exec(line.trim())![0].trimEnd();
}
