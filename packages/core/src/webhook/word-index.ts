/** Words by their length. */
export type WordIndex<Word extends string> = readonly (readonly Word[])[];

/**
 * Make an index of a few known words.
 *
 * Words are told apart by their length first, and few have the same: a `Set` would have to read each
 * letter of a text that has just been parsed, and takes three times as long.
 */
export function indexWords<Word extends string>(words: readonly Word[]): WordIndex<Word> {
  const longest = Math.max(...words.map(({ length }) => length));
  return Array.from({ length: longest + 1 }, (_, length) =>
    words.filter((word) => word.length === length),
  );
}

/** The known word itself that a text is, or undefined. */
export function findWord<Word extends string>(
  index: WordIndex<Word>,
  text: string,
): Word | undefined {
  if (text.length >= index.length) return undefined;
  for (const word of index[text.length]!) if (word === text) return word;
  return undefined;
}
