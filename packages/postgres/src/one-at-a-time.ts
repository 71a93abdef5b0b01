/** Calls of one key that wait at most; further ones are refused. */
const MAX_WAITING = 1_000;

/**
 * Runs calls of the same key one after another, so that a flood of one key occupies one connection.
 *
 * @returns The call's result, or `refused` if too many wait.
 */
export function createOneAtATime(): <Result, Refused>(
  key: string,
  call: () => Promise<Result>,
  refused: Refused,
) => Promise<Result | Refused> {
  const queues = new Map<string, { waiting: number; last: Promise<unknown> }>();
  return async (key, call, refused) => {
    const queue = queues.get(key) ?? { waiting: 0, last: Promise.resolve() };
    if (queue.waiting >= MAX_WAITING) return refused;
    queues.set(key, queue);
    queue.waiting++;
    const result = queue.last.then(call);
    queue.last = result.catch(() => {});
    try {
      return await result;
    } finally {
      if (--queue.waiting === 0) queues.delete(key);
    }
  };
}
