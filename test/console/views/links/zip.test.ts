import { zipOf } from '../../../../console/views/links/zip.ts';

test('names that differ only in case stay apart on Windows and macOS', () => {
  const names = ['Sale.png', 'Sale.svg', 'sale.png', 'SALE.png', 'sale.svg', 'sale-2.png'];
  const zip = Buffer.from(zipOf(names.map((name) => [name, new Uint8Array()]))).toString('latin1');
  // A name follows 28 bytes after a local header's "PK".
  const packed = zip.split('PK').slice(1, names.length + 1);
  expect(packed.map((file) => file.slice(28))).toEqual([
    ...['Sale.png', 'Sale.svg', 'sale (2).png', 'SALE (3).png', 'sale (2).svg', 'sale-2.png'],
  ]);
});
