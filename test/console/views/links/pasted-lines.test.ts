import { linesOf } from '../../../../console/views/links/pasted-lines.ts';

test('each line that says something counts once, by its place in the list', () => {
  expect(linesOf('  https://a.example \r\n\r\nnot an address\rhttps://a.example\n')).toEqual([
    { line: 1, text: 'https://a.example' },
    { line: 3, text: 'not an address' },
  ]);
  expect(linesOf(' \n')).toEqual([]);
});
