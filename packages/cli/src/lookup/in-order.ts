/**
 * Runs work on up to `concurrency` items at once, and yields the results in the order of the items.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  work: (item: Item) => Promise<Result>,
  concurrency: number,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  const start = (item: Item): void => {
    const result = work(item);
    // Reported in order; until then the rejection must not count as unhandled.
    result.catch(() => {});
    running.push(result);
  };
  for await (const item of items) {
    start(item);
    if (running.length >= concurrency) yield await running.shift()!;
  }
  while (running.length > 0) yield await running.shift()!;
}
