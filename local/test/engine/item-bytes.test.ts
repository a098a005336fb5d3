import { type Item, itemBytes } from '../../engine/sqlite/values.ts';

test.each([
  [{}, 0],
  [{ name: { S: 'Zürich "1"' } }, 4 + 11],
  [{ n: { N: '12345' } }, 1 + 4],
  [{ n: { N: '-0.0012' } }, 1 + 3],
  [{ n: { N: `0.${'1'.padStart(130, '0')}` } }, 1 + 2],
  [{ b: { B: Buffer.from('four').toString('base64') } }, 1 + 4],
  [{ yes: { BOOL: true }, no: { NULL: true } }, 4 + 3],
  [{ s: { SS: ['a', 'bc'] }, n: { NS: ['1', '22'] } }, 1 + 3 + 1 + 4],
  [{ m: { M: { a: { S: 'b' } } } }, 1 + 3 + 1 + 1 + 1],
  [{ l: { L: [{ S: 'ab' }, { L: [] }] } }, 1 + 3 + 3 + 4],
])('%j has %d bytes', (item, bytes) => {
  expect(itemBytes(item as Item)).toBe(bytes);
});
