import { Readable } from 'node:stream';
import fc from 'fast-check';
import { readCell, writeRecord } from '../../../core/base/csv-cells.ts';
import { type CsvRecord, readCsv } from '../../../ops/transfer/read-csv.ts';

/** The records of a text that arrives in these portions. */
const recordsOf = async (...portions: string[]): Promise<CsvRecord[]> => {
  const text = async function* () {
    yield* portions;
  };
  return Readable.from(readCsv(text())).toArray();
};

const cell = fc.string({
  unit: fc.constantFrom('a', 'ü', '😀', ' ', ',', ';', '"', '\n', '\r\n', '\r'),
  maxLength: 8,
});
const table = fc.array(
  fc.record({
    cells: fc.array(cell, { minLength: 1, maxLength: 4 }),
    // Spreadsheets and editors leave such between and after records.
    emptyLines: fc.nat(2),
    lineBreak: fc.constantFrom('\n', '\r\n'),
  }),
);
const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const lineBreaks = (text: string) => text.match(/\r\n|\r|\n/g)?.length ?? 0;

test('each record has its cells, and the line where it begins', async () => {
  await fc.assert(
    fc.asyncProperty(table, fc.nat(), async (rows, at) => {
      let text = '';
      const expected: CsvRecord[] = [];
      for (const { cells, emptyLines, lineBreak } of rows) {
        const line = 1 + lineBreaks(text);
        const record = cells.map(quoted).join(',');
        if (record !== '') expected.push({ line, cells });
        text += record + lineBreak.repeat(1 + emptyLines);
      }
      // The reader of a file parts neither a line break nor a character.
      const cut = text.slice(0, at % (text.length + 1)).replace(/[\r\ud800-\udbff]$/, '').length;
      expect(await recordsOf(text.slice(0, cut), text.slice(cut))).toEqual(expected);
    }),
  );
});

test.each([
  ['x;=HYPERLINK(1)', "x;'=HYPERLINK(1)"],
  ['\t=1+1', "\t'=1+1"],
  ['＝1+1', "'＝1+1"],
  ['one\n@two', '"one\n\'@two"'],
  ["'quoted", "''quoted"],
])('%j can be no formula in a spreadsheet, and is read as it was', async (value, written) => {
  expect(writeRecord([value, 'end'])).toBe(`${written},end\r\n`);
  const [record] = await recordsOf(writeRecord([value, 'end']));
  expect(record?.cells.map(readCell)).toEqual([value, 'end']);
});

test('written cells can be read, and none is a formula', async () => {
  const sign = fc.constantFrom(...`;\t\r\n =+-@'＝＋－＠a,"`);
  const cell = fc.oneof(fc.string(), fc.string({ unit: sign }));
  await fc.assert(
    fc.asyncProperty(fc.array(cell, { minLength: 2 }), async (cells) => {
      const [record] = await recordsOf(writeRecord(cells));
      expect(record?.cells.map(readCell)).toEqual(cells);
      for (const written of record?.cells ?? [])
        expect(written).not.toMatch(/(^|[;\t\r\n])\s*[=+\-@＝＋－＠]/);
    }),
  );
});

test('a quote that is not closed is reported in the line where its record begins', async () => {
  const text = 'code,link\n\na,"x\ny"\nb,"https://example.com/\nc,https://example.com/c\nd,e\n';
  expect(await recordsOf(text)).toEqual([
    { line: 1, cells: ['code', 'link'] },
    { line: 3, cells: ['a', 'x\ny'] },
    {
      line: 5,
      cells: ['b', ''],
      fault: {
        reason: "a quote isn't closed, so the rest of the file was not read",
        detail: "the quote in line 5 isn't closed, so the rest of the file was not read",
      },
    },
  ]);
});

test('a record that swallows others by its quotes is reported, and ends with its line', async () => {
  const text = 'a,"one\nb,two\nc,"three"\nd,four\n';
  expect(await recordsOf(text)).toEqual([
    {
      line: 1,
      cells: ['a', '"one\nb,two\nc,"three"'],
      fault: {
        reason: 'a quote begins a cell in which a quote is not doubled',
        detail: 'the quote in line 1 begins a cell, up to line 3, in which a quote is not doubled',
      },
    },
    { line: 4, cells: ['d', 'four'] },
  ]);
});

test('quotes inside a cell that begins without one are part of it', async () => {
  expect(await recordsOf('a,say "hi", "b"\n')).toEqual([{ line: 1, cells: ['a', 'say "hi"', ' "b"'] }]);
});

test('a cell of a million spaces is read and written like any other', () => {
  const blanks = '\t'.repeat(1_000_000);
  expect(readCell(blanks)).toBe(blanks);
  expect(readCell(`${blanks}'=1`)).toBe(`${blanks}=1`);
  expect(writeRecord([`${blanks}=1`])).toBe(`${blanks}'=1\r\n`);
});
