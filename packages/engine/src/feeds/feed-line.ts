/** Details that the Tor project's list of exits gives of each exit beside its address. */
const TOR_LINE = /^(?:ExitAddress (\S+)|(?:ExitNode|Published|LastStatus) )/;

/** A line with only an entry, as nearly all are. */
const PLAIN_LINE = /^[\w.:/-]+$/;

/**
 * Returns the entry on one line of a list, or an empty text if the line has none.
 *
 * What follows an entry is a comment or a further column in every list of this kind, whichever sign
 * separates them.
 */
export function entryOf(line: string): string {
  if (PLAIN_LINE.test(line)) return line;
  const tor = TOR_LINE.exec(line);
  if (tor) return tor[1] ?? "";
  return /^[^#;,\t]*/.exec(line.trim())![0].trimEnd();
}
