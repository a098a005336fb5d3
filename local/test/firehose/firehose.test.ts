import * as fc from 'fast-check';
import { jsonDocuments } from '../../firehose/json-documents.ts';
import { prefixAt, writeParquet } from '../../firehose/parquet-file.ts';
import { readParquetRows } from '../../testing/parquet-rows.ts';
import { newFolder } from '../folder.ts';

const folder = newFolder();

test('concatenated JSON objects are separated', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(fc.array(object), fc.constantFrom('', ' ', '\n', '\r\n\t'), (objects, space) => {
      const parts = objects.map((one) => JSON.stringify(one));
      expect(jsonDocuments(parts.join(space))).toEqual(parts.map((part) => JSON.parse(part)));
    }),
  );
});

test.each(['[{"a":1}]', '{"a":1', '{"a":1}}', 'x', '{"a":1},{"a":2}', '{"a":"}'])('%s is refused', (text) => {
  expect(() => jsonDocuments(text)).toThrow(SyntaxError);
});

test('a prefix holds the day', () => {
  const now = new Date('2026-03-04T05:06:07Z');
  expect(prefixAt('a/day=!{timestamp:yyyy-MM-dd}/', now)).toBe('a/day=2026-03-04/');
  expect(prefixAt("!{timestamp:yyyy'/'MM'/'dd'/'HH}/", now)).toBe('2026/03/04/05/');
  expect(prefixAt('', now)).toBe('');
});

const stream = {
  id: 'Stream',
  name: 'stream',
  arn: 'arn:aws:firehose:us-east-1:000000000000:deliverystream/stream',
  prefix: 'day=!{timestamp:yyyy-MM-dd}/',
  columns: [
    { name: 'text', type: 'string' },
    { name: 'whole', type: 'int' },
    { name: 'large', type: 'bigint' },
    { name: 'part', type: 'double' },
    { name: 'is', type: 'boolean' },
    { name: 'at', type: 'timestamp' },
  ],
};

test('rows are written by the types of their columns, by day', async () => {
  const at = '2026-03-04T05:06:07Z';
  const rows = [
    { text: 'é"', whole: 1, large: 2 ** 40, part: 0.5, is: true, at, more: 'left out' },
    { text: 'only' },
  ];
  await writeParquet({ folder, stream, rows, now: new Date('2026-03-04T23:59:59Z') });
  await writeParquet({
    folder,
    stream,
    rows: [{ text: 'next' }],
    now: new Date('2026-03-05T00:00:00Z'),
  });
  const empty = { whole: null, large: null, part: null, is: null, at: null };
  const first = { text: 'é"', whole: 1, large: 2n ** 40n, part: 0.5, is: true, at: new Date(at) };
  const found = await readParquetRows(folder);
  expect(found).toHaveLength(3);
  expect(found).toEqual(
    expect.arrayContaining([
      { ...first, day: '2026-03-04' },
      { text: 'only', ...empty, day: '2026-03-04' },
      { text: 'next', ...empty, day: '2026-03-05' },
    ]),
  );
});

test('a column of an unknown type is an error that names it', async () => {
  const odd = { ...stream, columns: [{ name: 'list', type: 'array<string>' }] };
  await expect(writeParquet({ folder, stream: odd, rows: [{}], now: new Date() })).rejects.toThrow(
    'Stream: the local stack writes no column of type array<string> (list)',
  );
});
