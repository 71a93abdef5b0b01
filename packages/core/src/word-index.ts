/**
 * Make a search for a text among a few known words, which gives the known word itself.
 *
 * Words are told apart by their length first, and few have the same: a `Set` would have to read each
 * letter of a text that has just been parsed, and takes three times as long.
 */
export function createWordIndex<Word extends string>(
  words: readonly Word[],
): (text: string) => Word | undefined {
  const longest = Math.max(...words.map(({ length }) => length));
  const byLength: Word[][] = Array.from({ length: longest + 1 }, () => []);
  for (const word of words) byLength[word.length]!.push(word);
  return (text) => {
    if (text.length > longest) return undefined;
    for (const word of byLength[text.length]!) if (word === text) return word;
    return undefined;
  };
}
