import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openCheckpoints } from '../../event-source-mapping/checkpoint.ts';
import { accept, aStream, failed, idsOf, isOtherEngine, newFolder, until } from './stream.ts';

type Start = Awaited<ReturnType<typeof aStream>>['start'];

/** The batches that a mapping with this folder gets until it has read its stream, and then stops. */
const idsIn = async (
  start: Start,
  data: string,
  startingPosition: 'TRIM_HORIZON' | 'LATEST' = 'TRIM_HORIZON',
) => {
  const { ids, mapping } = start(accept, { startingPosition }, { data });
  await mapping.idle();
  await mapping.stop();
  return ids();
};

describe('positions', () => {
  test('are kept over a restart', async () => {
    const { put, start } = await aStream('a');
    const data = newFolder();
    await idsIn(start, data);
    await put('b');
    expect(await idsIn(start, data)).toEqual([['b']]);
  });

  test('are written one after the other', async () => {
    const data = newFolder();
    const { save, flush } = openCheckpoints(data, 'Mapping', 'stream');
    const flushes = Array.from({ length: 20 }, (_, i) => {
      save('shard', { after: String(i) });
      return flush();
    });
    await Promise.all(flushes);
    expect(openCheckpoints(data, 'Mapping', 'stream').get('shard')).toEqual({ after: '19' });
  });

  test('begin again when their file is broken', async () => {
    const { start } = await aStream('a');
    const data = newFolder();
    await idsIn(start, data);
    const folder = join(data, 'stream-positions');
    for (const file of readdirSync(folder)) writeFileSync(join(folder, file), '{"broken');
    expect(await idsIn(start, data)).toEqual([['a']]);
  });

  test('do not pass a record before it is accepted', async () => {
    const { start } = await aStream('abc');
    const data = newFolder();
    const first = start(
      (event) => (idsOf(event).includes('b') ? failed : accept()),
      { batchSize: 1 },
      { data },
    );
    await until(() => first.ids().some((ids) => ids.includes('b')));
    await first.mapping.stop();
    expect(await idsIn(start, data)).toEqual([['b', 'c']]);
  });

  const datedBySecond = isOtherEngine ? test.skip : test;
  datedBySecond(
    'begin at the end of the stream with LATEST, even if nothing arrived before a restart',
    async () => {
      const { put, start } = await aStream();
      const data = newFolder();
      // A record of a minute's first second could be of any second of it (see lastSecondOf).
      await until(() => new Date().getSeconds() !== 0);
      await put('before');
      await until(() => false, 1100);
      expect(await idsIn(start, data, 'LATEST')).toEqual([]);
      await put('between');
      expect(await idsIn(start, data, 'LATEST')).toEqual([['between']]);
    },
  );
});
