/**
 * Run work on items with up to `concurrency` at once, and give the results in the order of the
 * items. Items are taken as there is room for them.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  work: (item: Item) => Promise<Result>,
  concurrency: number,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  const start = (item: Item): void => {
    const result = work(item);
    // Reported when its turn comes; until then it must not count as unhandled.
    result.catch(() => {});
    running.push(result);
  };
  for await (const item of items) {
    start(item);
    if (running.length >= concurrency) yield await running.shift()!;
  }
  while (running.length > 0) yield await running.shift()!;
}
