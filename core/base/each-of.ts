/**
 * Works on items with limited concurrency. After a failure no more work begins; running work ends before the first
 * failure is thrown.
 */
export const eachOf = async <Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const queue = Symbol.iterator in items ? items[Symbol.iterator]() : items[Symbol.asyncIterator]();
  const failures: unknown[] = [];
  const worker = async () => {
    try {
      for (let next = await queue.next(); !next.done && failures.length === 0; next = await queue.next())
        await work(next.value);
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failures.length > 0) throw failures[0];
};
