/**
 * Works on items with limited concurrency. After a failure no more work begins; running work ends before the first
 * failure is thrown. Resolves to what a generator of items returns.
 */
export const eachOf = async <Item, End = unknown>(
  items: Iterable<Item, End> | AsyncIterable<Item, End>,
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<End | undefined> => {
  const queue = Symbol.iterator in items ? items[Symbol.iterator]() : items[Symbol.asyncIterator]();
  const failures: unknown[] = [];
  let end: End | undefined;
  const worker = async () => {
    try {
      for (;;) {
        const next = await queue.next();
        // Later calls return nothing.
        if (next.done) end ??= next.value;
        if (next.done || failures.length > 0) return;
        await work(next.value);
      }
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failures.length > 0) throw failures[0];
  return end;
};
