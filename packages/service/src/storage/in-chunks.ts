/** Most rows in one statement: with every table's columns well below SQLite's 32,766 values. */
const MAX_ROWS = 1_000;

/** Cut a list into lists short enough for one statement; none for an empty list. */
export function inChunks<T>(list: readonly T[]): readonly (readonly T[])[] {
  const chunks: (readonly T[])[] = [];
  for (let start = 0; start < list.length; start += MAX_ROWS) {
    chunks.push(list.slice(start, start + MAX_ROWS));
  }
  return chunks;
}
