import fc from 'fast-check';
import { accept, aStream, newFolder } from './stream.ts';

describe('under faults', () => {
  test('every record arrives in order, in any batches and despite lost responses and repetitions', async () => {
    const { put, start } = await aStream();
    const written = Array.from({ length: 40 }, (_, n) => String(n));
    for (const id of written) await put(id);
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat({ max: 9 })), async (draws) => {
        const draw = () => Number(draws.next().value);
        let rewinds = 3;
        let losses = 3;
        const { ids, mapping } = start(
          accept,
          { batchSize: 10, bisectBatchOnError: true },
          {
            retryMs: 1,
            faults: {
              cut: (available) => Math.min(available, 1 + draw()),
              loseAnswer: () => draw() === 0 && losses-- > 0,
              rewind: (passed) =>
                passed.length > 0 && draw() === 0 && rewinds-- > 0
                  ? passed[draw() % passed.length]
                  : undefined,
            },
          },
        );
        await mapping.idle();
        await mapping.stop();
        const firsts = [...new Set(ids().flat())];
        expect(firsts).toEqual(written);
      }),
      { numRuns: 20 },
    );
  });

  test('two readers of one shard deliver everything twice', async () => {
    const { put, start } = await aStream();
    const [one, other] = [start(accept), start(accept)];
    for (const id of 'abcdef') await put(id);
    await Promise.all([one.mapping.idle(), other.mapping.idle()]);
    expect(one.ids().flat()).toEqual([...'abcdef']);
    expect(other.ids().flat()).toEqual([...'abcdef']);
  });

  test('waits for an unreachable engine', async () => {
    const data = newFolder();
    const { table, start } = await aStream('a');
    const { mapping } = start(accept, {}, { endpoint: 'http://127.0.0.1:9', data, table });
    await mapping.stop();
    const back = start(accept, {}, { data });
    await back.mapping.idle();
    expect(back.ids()).toEqual([['a']]);
  });
});
