import { linesOf, withSchemes } from '../../../../console/views/links/pasted-lines.ts';

test('each line with content counts once, by its place in the list', () => {
  expect(linesOf('  https://a.example \r\n\r\nnot an address\rhttps://a.example\n')).toEqual([
    { line: 1, text: 'https://a.example', address: 'https://a.example' },
    { line: 3, text: 'not an address', address: 'not an address' },
  ]);
  expect(linesOf(' \n')).toEqual([]);
});

test.each([
  ['spring\thttps://a.example/x', 'spring', 'https://a.example/x'],
  ['spring,https://a.example/x,y', 'spring', 'https://a.example/x,y'],
  ['"spring";"https://a.example/x"', 'spring', 'https://a.example/x'],
  ['spring https://a.example/x', 'spring', 'https://a.example/x'],
  ['https://a.example/x\tspring', 'spring', 'https://a.example/x'],
  ['https://a.example/x,y;z', undefined, 'https://a.example/x,y;z'],
  ['spring,summer', undefined, 'spring,summer'],
])('two columns: %j', (text, code, address) => {
  expect(linesOf(`code,url\n${text}`)).toEqual([{ line: 2, text, address, ...(code && { code }) }]);
});

test.each<readonly [string, string]>([
  ['example.com/spring', 'https://example.com/spring'],
  ['spring\texample.com:8443?x=1', 'spring\thttps://example.com:8443?x=1'],
  ['"spring";"müller.example"', '"spring";"https://müller.example"'],
  ['a.example/x spring\r\n\nb.example', 'https://a.example/x spring\r\n\nhttps://b.example'],
  ...['spring,summer', 'spring http://a.example', 'myapp://a.example', '1.2', 'not an address.'].map(
    (text) => [text, text] as const,
  ),
])('an address without a scheme gets https: %j', (text, whole) => {
  expect(withSchemes(text)).toBe(whole);
});
