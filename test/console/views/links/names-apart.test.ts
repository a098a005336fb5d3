import { namesApart } from '../../../../console/views/links/names-apart.ts';

test('names that differ only in case stay apart on Windows and macOS', () => {
  expect(namesApart(['Sale.png', 'Sale.svg', 'sale.png', 'SALE.png', 'sale.svg', 'sale-2.png'])).toEqual([
    ...['Sale.png', 'Sale.svg', 'sale (2).png', 'SALE (3).png', 'sale (2).svg', 'sale-2.png'],
  ]);
});
