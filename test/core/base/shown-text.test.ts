import { destination } from '../../../console/format.ts';
import { shownAddress, withoutDirections } from '../../../core/base/shown-text.ts';
import { readable } from '../../../ops/command-line/readable.ts';

const disguised = 'safe\u202egpj.exe';

test('marks of direction are left out of texts that people read', () => {
  const marks = '\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';
  expect(withoutDirections(`a${marks}b`)).toBe('ab');
  expect(readable([{ name: disguised }])).not.toContain('\u202e');
});

test.each([
  ['https://\u0430pple.com/a', 'https://\u0430pple.com/a (xn--pple-43d.com)'],
  [
    'https://\u0430\u0440\u0440\u04cf\u0435.com/',
    'https://\u0430\u0440\u0440\u04cf\u0435.com/ (xn--80ak6aa92e.com)',
  ],
  ['https://m\u00fcnchen.de/', 'https://m\u00fcnchen.de/'],
  [
    'https://\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444/',
    'https://\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444/',
  ],
  ['https://example.com/\u0430', 'https://example.com/\u0430'],
  ['no address', 'no address'],
])('%s is shown as %s', (address, shown) => {
  expect(shownAddress(address)).toBe(shown);
  expect(readable([{ destination: address }])).toContain(shown);
});

test("the console's list shows addresses likewise", () => {
  expect(destination('https://\u0430pple.com/')).toBe('\u0430pple.com/ (xn--pple-43d.com)');
  expect(destination('https://example.com/\u202egpj')).toBe('example.com/gpj');
});
